import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { firstBytes } from '#adapters/disk/first-bytes.js';
import { folderTexts } from '#adapters/disk/folder-texts.js';
import { homeFolder } from '#adapters/disk/home-folder.js';
import { makePersonalFolder } from '#adapters/disk/personal-folder.js';
import { boundedText, isPlainFolder, plainFolder } from '#adapters/disk/plain-files.js';
import { flush } from '#adapters/disk/recorded-files.js';
import { strictToml, tomlText } from '#adapters/disk/strict-toml.js';
import { strictYaml, yamlText } from '#adapters/disk/strict-yaml.js';
import { rejectionIn, UnreadableData } from '#adapters/disk/unreadable-data.js';
import { writeWhole, writeWholeIf } from '#adapters/disk/whole-file.js';
import { notedIn, worktreeAround } from '#adapters/disk/worktree-folder.js';
import { initialiseStore } from '#adapters/store/files/initialise.js';
import { treesNote } from '#core/settings/trees-folder.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { openBelow } from '../../open-files.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const modeOf = (file: string) => statSync(file).mode & 0o777;

test('a plain file is read up to a size; what is none is refused, or followed where a person named it', async () => {
  const folder = room('plain');
  const at = (name: string) => path.join(folder, name);
  writeFileSync(at('a'), 'abc');
  symlinkSync('a', at('link'));
  mkdirSync(at('dir'));
  expect([await boundedText(at('a'), 3), await boundedText(at('a'), 2)]).toEqual(['abc', 3]);
  expect([await boundedText(at('gone'), 3), await boundedText(at('a/below'), 3)]).toEqual([undefined, undefined]);
  await expect(boundedText(at('link'), 3)).rejects.toMatchObject({
    code: 'unsafe_path',
    message: expect.stringContaining('is a link'),
  });
  expect(await boundedText(at('link'), 3, 'followed')).toBe('abc');
  await expect(boundedText(at('dir'), 3)).rejects.toMatchObject({ code: 'unsafe_path' });
  await expect(boundedText(at('dir'), 3, 'followed')).rejects.toMatchObject({ code: 'unreadable' });
  await expect(boundedText('x'.repeat(300), 3)).rejects.toMatchObject({ code: 'ENAMETOOLONG' });
});

test('no file is left open by who reads it', async () => {
  const folder = room('open');
  const file = path.join(folder, 'a');
  await writeWhole(file, 'abc');
  for (const most of [3, 2]) await boundedText(file, most);
  await expect(boundedText(folder, 3)).rejects.toThrow('is not a regular file');
  await writeWhole(file, 'abc');
  for await (const _ of folderTexts(folder, ['a', 'gone'], 3));
  flush(file);
  expect(openBelow(folder)).toEqual([]);
});

test('folders are made on the way, none through a link', async () => {
  const folder = room('folders');
  expect(await plainFolder(folder, 'a', 'b')).toBe(path.join(folder, 'a/b'));
  expect([modeOf(path.join(folder, 'a')), modeOf(path.join(folder, 'a/b'))]).toEqual([0o700, 0o700]);
  expect(await plainFolder(path.join(folder, 'new'))).toBe(path.join(folder, 'new'));
  symlinkSync('a', path.join(folder, 'link'));
  writeFileSync(path.join(folder, 'file'), '');
  for (const name of ['link', 'file'])
    await expect(plainFolder(folder, name, 'x'), name).rejects.toMatchObject({ code: 'unsafe_path' });
  expect([await isPlainFolder(path.join(folder, 'a')), await isPlainFolder(path.join(folder, 'gone'))]).toEqual([
    true,
    false,
  ]);
  expect(await isPlainFolder(path.join(folder, 'file/below'))).toBe(false);
});

test('a personal folder is entered by its owner alone, and told how else where it cannot be made', () => {
  const folder = path.join(room('personal'), 'a/b');
  makePersonalFolder(folder);
  makePersonalFolder(folder);
  expect([modeOf(folder), modeOf(path.dirname(folder))]).toEqual([0o700, 0o700]);
  const file = path.join(folder, 'file');
  writeFileSync(file, '');
  symlinkSync('gone', path.join(folder, 'dangling'));
  for (const [place, why] of [
    [file, 'It is not a folder.'],
    [path.join(file, 'below'), `ENOTDIR: not a directory, stat '${file}/below'`],
    [path.join(folder, 'dangling'), `ENOENT: no such file or directory, stat '${folder}/dangling'`],
    ['/proc/none/x', "ENOENT: no such file or directory, mkdir '/proc/none'"],
  ] as const)
    expect(() => makePersonalFolder(place), place).toThrow(
      expect.objectContaining({
        ...{ code: 'read_only', message: `The folder ${place} cannot be made.`, why },
        hint: expect.stringMatching(/^Set HOME/),
      }),
    );
});

verifies('ui.cli.error', 'a graph is refused at once in a file system that takes no folders', () => {
  expect(() => initialiseStore('/proc/.workgraph')).toThrow(
    expect.objectContaining({ code: 'read_only', hint: expect.stringContaining('troupe init --dir FOLDER') }),
  );
});

test('a home that is empty or relative counts as none', () => {
  expect(path.isAbsolute(homeFolder())).toBe(true);
  vi.stubEnv('HOME', '/somewhere');
  expect(homeFolder()).toBe('/somewhere');
  vi.stubEnv('HOME', 'somewhere');
  expect(path.isAbsolute(homeFolder())).toBe(true);
  expect(homeFolder()).not.toContain('somewhere');
  vi.unstubAllEnvs();
});

test('where a field stands in a file, or what is nearest around it', () => {
  const { value, placeOf, lineOf } = strictYaml('a: 1\nb:\n  c:\n    - x\n    - y: 2\n');
  expect(value).toEqual({ a: 1, b: { c: ['x', { y: 2 }] } });
  expect(placeOf(['b', 'c'])).toEqual({ line: 3, column: 3 });
  expect([lineOf(['a']), lineOf(['b', 'c', 0]), lineOf(['b', 'c', 1, 'y']), lineOf(['b', 'gone', 'x'])]).toEqual([
    1, 4, 5, 2,
  ]);
  expect([lineOf([]), lineOf(['gone'])]).toEqual([1, 1]);
  expect(strictYaml('').placeOf(['a'])).toBeUndefined();
  expect(strictYaml('a: !up x', [{ tag: '!up', resolve: (text) => text.toUpperCase() }]).value).toEqual({ a: 'X' });
  const refused = (text: string) => {
    try {
      return expect.unreachable(String(strictYaml(text)));
    } catch (error) {
      const { message, line, column } = error as UnreadableData;
      return { message, line, column };
    }
  };
  expect(refused('a: 1\nb: 2\n  c: 3\n')).toMatchObject({ line: 2, column: 4 });
  expect(refused('a: [x\n\nb: "y\n')).toMatchObject({ line: 3, column: 1 });
  expect(refused('a: !up x\nb: !down y\n')).toEqual({ message: 'Unresolved tag: !up', line: 1, column: 4 });
  expect(refused('a: 1\n? [x]\n: 2\n')).toEqual({ message: 'a key is more than plain text', line: 2, column: 3 });
  expect(refused('b:\n  a: 1\n  a: 2\n')).toEqual({ message: 'the key a appears twice', line: 3, column: 3 });
  expect(strictYaml('b: {a: 1}\nc: {a: 1}\n').value).toEqual({ b: { a: 1 }, c: { a: 1 } });
});

test('only a rejected text is a rejection; any other error is thrown on', () => {
  const [rejected, other] = [new UnreadableData('why', 1, 2), new Error('other')];
  expect(rejectionIn(rejected)).toBe(rejected);
  expect(() => rejectionIn(other)).toThrow(other);
});

test('YAML is as deep as the stack allows, whatever opens and closes on the way', () => {
  const deep = (most: number) => `${'['.repeat(most)}${']'.repeat(most)}`;
  expect(() => strictYaml(deep(WORK_LIMITS.yamlDepth))).not.toThrow();
  expect(() => strictYaml(deep(WORK_LIMITS.yamlDepth + 1))).toThrow('nested too deeply');
  expect(() =>
    strictYaml(
      deep(WORK_LIMITS.yamlDepth + 1)
        .replaceAll('[', '{a: ')
        .replaceAll(']', '}'),
    ),
  ).toThrow('too deeply');
  const wide = `a: "]}"\nb: [${'[], {}, '.repeat(WORK_LIMITS.yamlDepth)}]\nc: ${deep(WORK_LIMITS.yamlDepth)}`;
  expect(() => strictYaml(wide)).not.toThrow();
  expect(() => strictYaml(`a: "]}"\nc: ${deep(WORK_LIMITS.yamlDepth + 1)}`)).toThrow('too deeply');
  const blanks = (most: number) => `a:\n${' '.repeat(most)}b: 1\n`;
  expect(strictYaml(blanks(WORK_LIMITS.yamlDepth)).value).toEqual({ a: { b: 1 } });
  expect(() => strictYaml(blanks(WORK_LIMITS.yamlDepth + 1))).toThrow('too deeply');
  expect(strictYaml('1: a\ntrue: b\n').value).toEqual({ 1: 'a', true: 'b' });
  expect(() => strictYaml('1: a\n"1": b\n')).toThrow('the key 1 appears twice');
});

test('data is written so that it comes back as it was', () => {
  const [same, long] = [{ x: 1 }, `${'word '.repeat(40)}end`];
  const text = yamlText({ a: same, b: same, c: long });
  expect(text).toBe(`a:\n  x: 1\nb:\n  x: 1\nc: ${long}\n`);
  expect(strictYaml(text).value).toEqual({ a: same, b: same, c: long });
  expect(tomlText({ a: 1, b: { c: 'x' } })).toBe('a = 1\n\n[b]\nc = "x"\n');
  expect(() => strictToml('a = "\0"')).toThrow('not allowed in TOML');
  expect(() => strictToml('a = {b = {c = {d = 1}}}', 2)).toThrow(UnreadableData);
  expect(strictToml('a = {b = 1}', 2)).toEqual({ a: { b: 1 } });
  expect(new UnreadableData(`x\u001b${'y'.repeat(300)}`).message.length).toBeLessThanOrEqual(200);
});

test('a file is written whole or not at all, and leaves no draft', async () => {
  const folder = room('whole');
  const file = path.join(folder, 'a');
  await writeWhole(file, 'one');
  expect([readFileSync(file, 'utf8'), modeOf(file)]).toEqual(['one', 0o600]);
  expect(await writeWholeIf(file, 'two', 0o644, async () => false)).toBe(false);
  expect(readFileSync(file, 'utf8')).toBe('one');
  expect(await writeWholeIf(file, 'two', 0o644, async () => true)).toBe(true);
  expect([readFileSync(file, 'utf8'), modeOf(file)]).toEqual(['two', 0o644 & ~process.umask()]);
  await expect(writeWholeIf(file, 'x', 0o644, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(readdirSync(folder)).toEqual(['a']);
});

test('a folder lies in a worktree of a project, or of one that a note says so of', () => {
  const project = room('project');
  const tree = path.join(project, '.workgraph/worktrees/a-1');
  expect(worktreeAround(project, tree)).toBe(tree);
  expect(worktreeAround(project, path.join(tree, 'src/deep'))).toBe(tree);
  for (const folder of [project, path.join(project, '.workgraph/worktrees'), path.join(project, '.workgraph'), '/'])
    expect(worktreeAround(project, folder), folder).toBeUndefined();
  const other = room('trees');
  expect([notedIn(other), worktreeAround(project, path.join(other, 'a-1'))]).toEqual([undefined, undefined]);
  writeFileSync(path.join(other, '.gitignore'), treesNote(project, other, false));
  expect(notedIn(other)).toBe(project);
  expect(worktreeAround(project, path.join(other, 'a-1/src'))).toBe(path.join(other, 'a-1'));
  expect(worktreeAround('/elsewhere', path.join(other, 'a-1'))).toBeUndefined();
  // The note names the real path, the project was opened through a link.
  symlinkSync(project, path.join(other, 'link'));
  expect(worktreeAround(path.join(other, 'link'), path.join(other, 'a-1'))).toBe(path.join(other, 'a-1'));
  const noteOf = (bytes: number) => `# Worktrees of Troupe for ${'/x'.padEnd(bytes - 29, 'y')}\n*\n`;
  writeFileSync(path.join(other, '.gitignore'), noteOf(TEAM_LIMITS.settingsFileBytes - 1));
  expect(notedIn(other)).toHaveLength(TEAM_LIMITS.settingsFileBytes - 30);
  writeFileSync(path.join(other, '.gitignore'), noteOf(TEAM_LIMITS.settingsFileBytes));
  expect(notedIn(other)).toBeUndefined();
});

test('of an open file so many bytes are read, and whether there are more', async () => {
  const file = path.join(room('disk'), 'file');
  const read = async (text: string, most: number) => {
    writeFileSync(file, text);
    const handle = await open(file);
    try {
      const { bytes, more } = await firstBytes(handle, most);
      return [bytes.toString(), more];
    } finally {
      await handle.close();
    }
  };
  expect([
    await read('', 3),
    await read('ab', 3),
    await read('abc', 3),
    await read('abcd', 3),
    await read('a', 0),
  ]).toEqual([
    ['', false],
    ['ab', false],
    ['abc', false],
    ['abc', true],
    ['', true],
  ]);
});
