import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { FormationFolder } from '#adapters/roles/formation-folder.js';
import { sha256 } from '#kernel/hash.js';
import { room } from '../../room.js';

const FOLDER = '.claude/research-sweep/runs/20261123-caches-1f0c';

function setUp() {
  const project = room();
  const files = new FormationFolder(project);
  const place = (name: string) => path.join(project, FOLDER, name);
  return { project, files, place };
}

test('what is written is read again, with its hash, and nothing else is left behind', async () => {
  const { files, place } = setUp();
  expect(await files.read(FOLDER, 'scouts/web.yaml', 99)).toEqual({ problem: 'there is no such file' });
  await files.write(FOLDER, 'scouts/web.yaml', 'entries: []\n');
  await files.write(FOLDER, 'scouts/web.yaml', 'entries: [a]\n');
  expect(await files.read(FOLDER, 'scouts/web.yaml', 99)).toEqual({
    text: 'entries: [a]\n',
    sha256: sha256('entries: [a]\n'),
  });
  expect(await files.parse('entries: [a]\n')).toEqual({ data: { entries: ['a'] } });
  expect(await files.read(FOLDER, 'scouts/web.yaml', 12)).toEqual({ problem: 'it has 13 bytes; the limit is 12' });
  expect(readdirSync(place('scouts'))).toEqual(['web.yaml']);
});

test('what is put aside lies below another folder of its run; what is not there is no loss', async () => {
  const { files, place } = setUp();
  await files.putAside(FOLDER, 'scouts/web.yaml', 'stale');
  await files.write(FOLDER, 'scouts/web.yaml', 'one');
  await files.putAside(FOLDER, 'scouts/web.yaml', 'stale');
  await files.putAside(FOLDER, 'scouts/web.yaml', 'stale');
  expect([readdirSync(place('scouts')), readFileSync(place('stale/scouts/web.yaml'), 'utf8')]).toEqual([[], 'one']);
  mkdirSync(place('stale/scouts/file.yaml'));
  mkdirSync(place('stale/scouts/folder/full'), { recursive: true });
  mkdirSync(place('scouts/folder'));
  mkdirSync(place('scouts/web.yaml'));
  await files.write(FOLDER, 'scouts/file.yaml', 'two');
  for (const [name, code] of [
    ['scouts/file.yaml', 'unsafe_path'],
    ['scouts/folder', 'unsafe_path'],
    ['scouts/web.yaml', 'ENOTDIR'],
    ['../x', 'unsafe_path'],
  ] as const)
    await expect(files.putAside(FOLDER, name, 'stale'), name).rejects.toMatchObject({ code });
  expect(readdirSync(place('scouts')).sort()).toEqual(['file.yaml', 'folder', 'web.yaml']);
  expect(await files.read(FOLDER, 'n'.repeat(300), 9)).toEqual({ problem: 'it cannot be read' });
});

test.each([
  ['a: &x 1\nb: *x\n', 'aliases are not allowed'],
  ['a: 1\na: 2\n', 'appears twice'],
  ['a: !!js/function x\n', 'it is not supported YAML'],
  ['__proto__: 1\n', '__proto__'],
  ['a: [\n', 'it is not supported YAML: line'],
  ['['.repeat(90_000), 'nested too deeply'],
])('%.20j is a problem and no data', async (text, problem) => {
  const { files } = setUp();
  expect(await files.parse(text)).toEqual({ problem: expect.stringContaining(problem) });
});

test('no link is followed, neither of a file nor of a folder, and a folder is no file', async () => {
  const { project, files, place } = setUp();
  const outside = room('outside');
  writeFileSync(path.join(outside, 'secret'), 'secret');
  mkdirSync(place('folder'), { recursive: true });
  symlinkSync(path.join(outside, 'secret'), place('link'));
  symlinkSync(outside, place('away'));
  for (const name of ['link', 'away/secret', 'folder']) {
    expect(await files.read(FOLDER, name, 99)).toEqual({ problem: expect.stringMatching(/link|folder|file/) });
  }
  await files.write(FOLDER, 'link', 'ours');
  expect(readFileSync(path.join(outside, 'secret'), 'utf8')).toBe('secret');
  for (const name of ['away/new', 'folder', '../../../../new', '..', '.', 'a\0b']) {
    await expect(files.write(FOLDER, name, 'x')).rejects.toMatchObject({ code: 'unsafe_path' });
  }
  for (const folder of [
    'elsewhere',
    '.claude/roles',
    '.claude/research-sweep/runs',
    '.claude/research-sweep/runs/..',
    'x/20261123-caches-1f0c',
  ])
    await expect(files.write(folder, 'new', 'x')).rejects.toMatchObject({ code: 'unsafe_path' });
  expect(readdirSync(outside)).toEqual(['secret']);
  expect(readdirSync(project)).toEqual(['.claude']);
});
