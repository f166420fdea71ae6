import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { OutputFolder } from '#adapters/files/output-folder.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { room } from '../../room.js';

function place() {
  const project = realpathSync(room('outputs'));
  const at = (name: string) => path.join(project, name);
  for (const folder of ['.workgraph/service', '.workgraph/worktrees/a', '.workgraph/agents/agent-1', '.git', 'docs'])
    mkdirSync(at(folder), { recursive: true });
  const outputs = new OutputFolder(project, project);
  const write = async (named: string, text: string, wishes: { replace?: boolean; within?: readonly string[] } = {}) =>
    await outputs.write(named, text, { replace: false, within: undefined, ...wishes }).then(
      (file) => path.relative(project, file),
      ({ code }) => code,
    );
  const known = () => JSON.parse(readFileSync(at('.workgraph/service/outputs.json'), 'utf8'));
  return { project, at, outputs, write, known };
}

test('a file of one’s own is written over, another’s only when that is said', async () => {
  const { at, write, known, project } = place();
  expect(await write('docs/a.txt', 'one')).toBe('docs/a.txt');
  expect([readFileSync(at('docs/a.txt'), 'utf8'), statSync(at('docs/a.txt')).mode & 0o777]).toEqual(['one', 0o600]);
  expect([await write('docs/a.txt', 'two'), readFileSync(at('docs/a.txt'), 'utf8')]).toEqual(['docs/a.txt', 'two']);
  writeFileSync(at('docs/a.txt'), 'mine');
  expect([await write('docs/a.txt', 'three'), readFileSync(at('docs/a.txt'), 'utf8')]).toEqual(['file_exists', 'mine']);
  expect([await write('docs/a.txt', 'three', { replace: true }), readFileSync(at('docs/a.txt'), 'utf8')]).toEqual([
    ...['docs/a.txt', 'three'],
  ]);
  expect(Object.keys(known())).toEqual([at('docs/a.txt')]);
  expect(statSync(at('.workgraph/service/outputs.json')).mode & 0o777).toBe(0o600);
  symlinkSync('a.txt', at('docs/link'));
  expect(await write('docs/link', 'x')).toBe('file_exists');
  for (const named of ['docs', 'gone/x', 'docs/a.txt/x'])
    expect(await write(named, 'x', { replace: true }), named).toMatch(/^(bad_input|not_found|ENOTDIR)$/);
  expect(await write('docs', 'x', { replace: true })).toBe('bad_input');
  expect([readdirSync(at('docs')).sort(), readdirSync(project).sort()]).toEqual([
    ...[
      ['a.txt', 'link'],
      ['.git', '.workgraph', 'docs'],
    ],
  ]);
});

test('of what was written the latest few are known again', async () => {
  const { at, write, known } = place();
  const old = Object.fromEntries(
    Array.from({ length: SURFACE_LIMITS.outputsKnown }, (_, index) => [`/old-${index}`, 'x']),
  );
  writeFileSync(at('.workgraph/service/outputs.json'), JSON.stringify(old));
  await write('new', 'x');
  const names = Object.keys(known());
  expect([names.length, names[0], names.at(-1)]).toEqual([SURFACE_LIMITS.outputsKnown, '/old-1', at('new')]);
  await write('new', 'y');
  expect(Object.keys(known())).toEqual(names);
  expect(readdirSync(at('.workgraph/service'))).toEqual(['outputs.json']);
  const broken = place();
  mkdirSync(broken.at('.workgraph/service/outputs.json'));
  expect(await broken.write('a', 'x')).toBe('a');
  expect(readdirSync(broken.at('.workgraph/service')), 'no draft is left').toEqual(['outputs.json']);
  const long = `gone/${'n'.repeat(250)}`;
  await expect(broken.outputs.write(long, '', { replace: false, within: undefined })).rejects.toMatchObject({
    message: `There is no folder for ${long.slice(0, 199)}….`,
  });
  const bare = room('bare');
  expect(await new OutputFolder(bare, bare).write('a', 'x', { replace: false, within: undefined })).toBe(
    path.join(bare, 'a'),
  );
  expect(readdirSync(bare)).toEqual(['a']);
});

test('a person writes anywhere but where the graph and git are; a run below its own places', async () => {
  const { at, write, outputs } = place();
  for (const [named, said] of [
    ['.workgraph/x', 'unsafe_path'],
    ['.workgraph/service/x', 'unsafe_path'],
    ['.git/x', 'unsafe_path'],
    ['.workgraph/worktrees/a/x', '.workgraph/worktrees/a/x'],
    ['docs/../y', 'y'],
  ] as const)
    expect(await write(named, 'x'), named).toBe(said);
  symlinkSync(at('.workgraph'), at('docs/graph'));
  symlinkSync(at('nowhere'), at('docs/broken'));
  expect([await write('docs/graph/x', 'x'), await write('docs/broken/x', 'x')]).toEqual(['unsafe_path', 'unsafe_path']);
  const within = [at('.workgraph/worktrees/a'), at('.workgraph/agents/agent-1')];
  mkdirSync(at('.workgraph/worktrees/a/.git'));
  for (const [named, said] of [
    ['.workgraph/worktrees/a/z', '.workgraph/worktrees/a/z'],
    ['.workgraph/agents/agent-1/z', '.workgraph/agents/agent-1/z'],
    ['.workgraph/worktrees/a/.git/z', 'not_yours'],
    ['.workgraph/worktrees/z', 'not_yours'],
    ['docs/z', 'not_yours'],
  ] as const)
    expect(await write(named, 'x', { within }), named).toBe(said);
  symlinkSync(at('docs'), at('.workgraph/worktrees/b'));
  expect(await write('.workgraph/worktrees/b/z', 'x', { within: [at('.workgraph/worktrees/b')] })).toBe('not_yours');
  await expect(outputs.refuse('docs/z', within)).rejects.toMatchObject({ code: 'not_yours' });
  await outputs.refuse('docs/z', undefined);
  expect(existsSync(at('docs/z'))).toBe(false);
});

test('a folder is written as far as it is not there yet; what is another’s stays unless that is said', async () => {
  const { at, outputs } = place();
  const write = async (files: Readonly<Record<string, string>>, replace = false) =>
    await outputs.writeFolder('out', new Map(Object.entries(files)), { replace }).then(
      (folder) => folder,
      ({ code }) => code,
    );
  const files = { 'a.txt': 'ä€', 'deep/b.txt': 'b' };
  expect(await write(files)).toBe(at('out'));
  const { mtimeMs } = statSync(at('out/a.txt'));
  expect([await write(files), statSync(at('out/a.txt')).mtimeMs]).toEqual([at('out'), mtimeMs]);
  expect(await write({ ...files, 'a.txt': 'other', 'c.txt': 'c' })).toBe('file_exists');
  expect(existsSync(at('out/c.txt')), 'all or none').toBe(false);
  expect(await write({ ...files, 'a.txt': 'o', 'c.txt': 'c' }, true)).toBe(at('out'));
  expect([readFileSync(at('out/a.txt'), 'utf8'), readdirSync(at('out')).sort(), readdirSync(at('out/deep'))]).toEqual([
    ...['o', ['a.txt', 'c.txt', 'deep'], ['b.txt']],
  ]);
});
