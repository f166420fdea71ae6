import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ExecutorFolder } from '#adapters/settings/executor-folder.js';
import { customDefinition } from '#core/runs/custom-executor.js';
import { sha256 } from '#kernel/hash.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { openBelow } from '../../open-files.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const GOOD =
  '[executor]\ncommand = "agent"\nargs = ["--task", "{{task_id}}"]\n[executor.prompt_template]\ntemplate = """\nDo {{task_title}}.\n"""\n';

function projectWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const project = room('project');
  mkdirSync(path.join(project, '.workgraph/executors'), { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(path.join(project, '.workgraph/executors', name), content);
  }
  return project;
}

verifies('exec.custom', 'a file is read as data with the fingerprint of its bytes', async () => {
  const folder = new ExecutorFolder(projectWith({ 'mine.toml': GOOD }));
  const found = await folder.read('mine');
  expect(found).toMatchObject({ name: 'mine', file: '.workgraph/executors/mine.toml', sha256: sha256(GOOD) });
  expect(customDefinition('mine', found?.value)).toMatchObject({ command: 'agent', template: 'Do {{task_title}}.\n' });
});

test('there need be no folder, no file, and no good name', async () => {
  const empty = new ExecutorFolder(room('empty'));
  expect(await empty.list()).toEqual([]);
  expect(await empty.read('mine')).toBeUndefined();
  const folder = new ExecutorFolder(
    projectWith({ 'mine.toml': GOOD, 'mine.json': 'x', 'mine-too.toml': GOOD, 'Bad.toml': GOOD }),
  );
  expect((await folder.list()).map(({ name }) => name)).toEqual(['mine', 'mine-too']);
  for (const name of ['../mine', 'mine.toml', '', 'a/b', '.', 'x'.repeat(300)]) {
    expect(await folder.read(name), name).toBeUndefined();
  }
});

test('files that mean more than they say, or too much, are refused, and listed beside the good ones', async () => {
  const project = projectWith({
    'good.toml': GOOD,
    'torn.toml': '[executor]\ncommand = "a\n',
    'twice.toml': '[executor]\ncommand = "a"\ncommand = "b"\n',
    'prototype.toml': '[executor]\ncommand = "a"\n[executor.env]\n__proto__ = "x"\n',
    'deep.toml': `x = ${'['.repeat(2_000)}${']'.repeat(2_000)}\n`,
    'marked.toml': `\ufeff${GOOD}`,
    'bytes.toml': new Uint8Array([0x23, 0xff, 0xfe]),
    'nested.toml': `x = ${'['.repeat(8)}${']'.repeat(8)}\n`,
    'deeper.toml': `x = ${'['.repeat(9)}${']'.repeat(9)}\n`,
    'large.toml': `#${'x'.repeat(TEAM_LIMITS.executorFileBytes)}`,
    'almost.toml': `#${'x'.repeat(TEAM_LIMITS.executorFileBytes - 1)}`,
  });
  mkdirSync(path.join(project, '.workgraph/executors/folder.toml'));
  const listed = await new ExecutorFolder(project).list();
  const codes = Object.fromEntries(listed.map((one) => [one.name, 'error' in one ? one.error.code : 'ok']));
  expect(codes).toEqual({
    ...{ good: 'ok', torn: 'bad_executor', twice: 'bad_executor', prototype: 'bad_executor', deep: 'bad_executor' },
    ...{ marked: 'bad_executor', bytes: 'bad_executor', large: 'too_large', almost: 'ok', folder: 'unsafe_path' },
    ...{ nested: 'ok', deeper: 'bad_executor' },
  });
  expect(listed.map(({ name }) => name)).toEqual(Object.keys(codes).sort());
  const details = listed.map((one) => ('error' in one ? one.error.details : undefined));
  expect(details[listed.findIndex(({ name }) => name === 'marked')]).toEqual({
    file: '.workgraph/executors/marked.toml',
  });
  expect(details[listed.findIndex(({ name }) => name === 'twice')]).toEqual({
    ...{ file: '.workgraph/executors/twice.toml', line: 3 },
  });
  expect(openBelow(project)).toEqual([]);
  const twice = listed.find(({ name }) => name === 'twice');
  expect(twice !== undefined && 'error' in twice && twice.error.message).toMatch(/twice\.toml:3/);
});

test('no link is followed: of a file, of the folder, of the one above', async () => {
  const outside = projectWith({ 'mine.toml': GOOD });
  const linked = projectWith({});
  symlinkSync(
    path.join(outside, '.workgraph/executors/mine.toml'),
    path.join(linked, '.workgraph/executors/mine.toml'),
  );
  await expect(new ExecutorFolder(linked).read('mine')).rejects.toMatchObject({ code: 'unsafe_path' });
  for (const parts of [['.workgraph'], ['.workgraph', 'executors']]) {
    const project = room('linked');
    if (parts.length > 1) mkdirSync(path.join(project, '.workgraph'));
    symlinkSync(path.join(outside, ...parts), path.join(project, ...parts));
    await expect(new ExecutorFolder(project).list()).rejects.toMatchObject({ code: 'unsafe_path' });
  }
  const second = projectWith({});
  linkSync(path.join(outside, '.workgraph/executors/mine.toml'), path.join(second, '.workgraph/executors/mine.toml'));
  expect((await new ExecutorFolder(second).read('mine'))?.sha256).toBe(sha256(GOOD));
});

test('so many are listed, in the order of their names; what is no folder holds none', async () => {
  const names = Array.from({ length: TEAM_LIMITS.executorsListed + 1 }, (_, number) => `e${200 - number}`);
  const others = { 'Bad.toml': '', 'A.toml': '' };
  const folder = new ExecutorFolder(
    projectWith({ ...others, ...Object.fromEntries(names.map((name) => [`${name}.toml`, ''])) }),
  );
  expect((await folder.list()).map(({ name }) => name)).toEqual(names.sort().slice(0, TEAM_LIMITS.executorsListed));
  expect(await folder.read('gone')).toBeUndefined();
  for (const place of ['.workgraph', '.workgraph/executors']) {
    const project = room('file');
    mkdirSync(path.dirname(path.join(project, place)), { recursive: true });
    writeFileSync(path.join(project, place), '');
    const blocked = new ExecutorFolder(project);
    expect([await blocked.list(), await blocked.read('mine')], place).toEqual([[], undefined]);
  }
  const file = path.join(room('file'), 'project');
  writeFileSync(file, '');
  expect(await new ExecutorFolder(file).list()).toEqual([]);
});
