import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { FunctionFolder, parseYaml } from '#adapters/catalog/function-folder.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { openBelow } from '../../open-files.js';
import { room } from '../../room.js';

const code = (wanted: string) => expect.objectContaining({ code: wanted });
const VALUE = { kind: 'trace-function', version: 1, id: 'f', tasks: [] };

function stage() {
  const project = room();
  const folder = path.join(project, '.workgraph/functions');
  mkdirSync(folder, { recursive: true });
  return { project, folder, files: new FunctionFolder(project) };
}

describe('functions of a project', () => {
  test('written whole, read back, listed by id; a broken file spoils no list', async () => {
    const { folder, files } = stage();
    expect(await files.write('f', VALUE, { force: false })).toBe('.workgraph/functions/f.yaml');
    expect(await files.read('f')).toEqual({ name: '.workgraph/functions/f.yaml', value: VALUE });
    writeFileSync(path.join(folder, 'broken.yaml'), '{ not closed');
    writeFileSync(path.join(folder, 'notes.txt'), 'no function');
    const listed = await files.list();
    expect(listed.map((entry) => [entry.id, entry.file !== undefined])).toEqual([
      ['broken', false],
      ['f', true],
    ]);
    expect(listed[0]?.error).toMatchObject({ code: 'function_invalid' });
    expect(readdirSync(folder).filter((name) => name.includes('part'))).toEqual([]);
  });

  test('nothing is replaced unless that is said; of many at once one writes', async () => {
    const { folder, files } = stage();
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => files.write('f', VALUE, { force: false })));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    await expect(files.write('f', VALUE, { force: false })).rejects.toThrowError(code('function_exists'));
    await files.write('f', { ...VALUE, name: 'again' }, { force: true });
    expect(readFileSync(path.join(folder, 'f.yaml'), 'utf8')).toContain('again');
    expect(readdirSync(folder)).toEqual(['f.yaml']);
  });

  test('a folder, or a file in the place of a folder, is not written over', async () => {
    const { project, files } = stage();
    mkdirSync(path.join(project, 'there.yaml'));
    writeFileSync(path.join(project, 'file'), 'mine');
    for (const output of ['there.yaml', 'file/x.yaml', 'file/deeper/x.yaml']) {
      await expect(files.write('f', VALUE, { force: true, output })).rejects.toThrowError(code('unsafe_path'));
    }
    for (const output of ['.', './', '..', '/x.yaml', 'a\0b'])
      await expect(files.write('f', VALUE, { force: true, output }), output).rejects.toMatchObject({
        ...{ code: 'unsafe_path', message: expect.stringMatching(/ is outside the project\.$/) },
      });
    expect(readFileSync(path.join(project, 'file'), 'utf8')).toBe('mine');
  });

  test('an id is never a path, and an unknown one brings the one meant', async () => {
    const { project, files } = stage();
    writeFileSync(path.join(project, 'x.yaml'), 'a: 1');
    for (const id of ['../../x', '/etc/passwd', '', '.x', 'a/b']) {
      await expect(files.read(id)).rejects.toThrowError(code('unknown_function'));
    }
    await files.write('draft-review', VALUE, { force: false });
    await expect(files.read('draft-revew')).rejects.toMatchObject({ hint: 'Did you mean draft-review?' });
  });

  test('no link is followed: not the file, not the folder, not where one writes', async () => {
    const { project, folder, files } = stage();
    const outside = room('outside');
    writeFileSync(path.join(outside, 'f.yaml'), 'kind: trace-function');
    symlinkSync(path.join(outside, 'f.yaml'), path.join(folder, 'f.yaml'));
    await expect(files.read('f')).rejects.toThrowError(code('unsafe_path'));
    await expect(files.write('f', VALUE, { force: true })).rejects.toThrowError(code('unsafe_path'));
    expect((await files.list())[0]?.error).toMatchObject({ code: 'unsafe_path' });
    symlinkSync(outside, path.join(project, 'linked'));
    await expect(files.write('g', VALUE, { force: true, output: 'linked/g.yaml' })).rejects.toThrowError(
      code('unsafe_path'),
    );
    expect(await files.readContent('linked/f.yaml')).toMatchObject({ problem: expect.stringContaining('link') });
    expect(existsSync(path.join(outside, 'g.yaml'))).toBe(false);
    const other = room('other');
    mkdirSync(path.join(other, '.workgraph'));
    symlinkSync(outside, path.join(other, '.workgraph/functions'));
    await expect(files.readFrom(other, 'f', false)).rejects.toThrowError(code('unsafe_path'));
  });

  test('values are read from a file, of the project alone where that is said', async () => {
    const { project, files } = stage();
    const file = path.join(project, 'values.yaml');
    writeFileSync(file, '\ufeffa: 1\n');
    for (const inside of [true, false]) {
      expect(await files.readValues(file, inside)).toEqual({ a: 1 });
      await expect(files.readValues(path.join(project, 'gone'), inside)).rejects.toThrowError(code('not_found'));
    }
    symlinkSync('values.yaml', path.join(project, 'link'));
    await expect(files.readValues(path.join(project, 'link'), false)).rejects.toThrowError(code('unsafe_path'));
  });

  test('the text of a value comes from inside the project, and is bounded', async () => {
    const { project, files } = stage();
    writeFileSync(path.join(project, 'brief.md'), 'short');
    writeFileSync(path.join(project, 'long.md'), 'x'.repeat(TEAM_LIMITS.functionValueBytes + 1));
    expect(await files.readContent('brief.md')).toEqual({ text: 'short' });
    for (const file of ['../x', '/etc/passwd', 'gone.md', 'long.md', '.workgraph', '.']) {
      expect(await files.readContent(file)).toHaveProperty('problem');
    }
  });
});

describe('functions from elsewhere', () => {
  test('a file, the folder of a project, and one function of it by name', async () => {
    const { files } = stage();
    const other = stage();
    await other.files.write('f', VALUE, { force: false });
    const file = path.join(other.folder, 'f.yaml');
    expect((await files.readFrom(file, undefined, false)).value).toEqual(VALUE);
    expect((await files.readFrom(other.project, 'f', false)).value).toEqual(VALUE);
    expect((await files.readFrom(`${other.project}:f`, undefined, false)).value).toEqual(VALUE);
    await expect(files.readFrom(other.project, undefined, false)).rejects.toThrowError(code('usage'));
    for (const from of [`${path.join(other.project, 'gone')}:f`, `${file}:f`])
      await expect(files.readFrom(from, undefined, false), from).rejects.toMatchObject({
        ...{ code: 'not_found', message: `There is no function file and no project at ${from}.` },
      });
    await expect(files.readFrom(`${other.project}:g`, undefined, false)).rejects.toThrowError(code('unknown_function'));
    await expect(files.readFrom(path.join(other.project, 'gone'), 'f', false)).rejects.toThrowError(code('not_found'));
    await expect(files.readFrom(room('empty'), 'f', false)).rejects.toThrowError(code('not_found'));
  });

  test('a run sees nothing outside its own project', async () => {
    const { project, files } = stage();
    const other = stage();
    await other.files.write('f', VALUE, { force: false });
    await files.write('f', VALUE, { force: false, output: 'shared/f.yaml' });
    expect((await files.readFrom(path.join(project, 'shared/f.yaml'), undefined, true)).value).toEqual(VALUE);
    for (const from of [path.join(other.folder, 'f.yaml'), other.project, `${other.project}:f`]) {
      await expect(files.readFrom(from, 'f', true)).rejects.toThrowError(code('unsafe_path'));
    }
    await expect(files.readValues(path.join(other.folder, 'f.yaml'), true)).rejects.toThrowError(code('unsafe_path'));
  });
});

describe('foreign text', () => {
  const REFUSED: [string, string][] = [
    ['aliases, however many', `a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nd: [*c,*c]`],
    ['a key of the language', '__proto__: { polluted: true }'],
    ['a key given twice', 'id: a\nid: b'],
    ['tags', 'a: !!js/function x'],
    ['several documents', 'a: 1\n---\nb: 2'],
    ['keys that are no words', '{ [a]: 1 }'],
    ['nesting without end', '['.repeat(20_000)],
    ['half a file', 'a: "open'],
  ];
  for (const [what, text] of REFUSED) {
    test(`${what} are refused`, async () => {
      await expect(parseYaml(text, 'f.yaml')).rejects.toThrowError(code('function_invalid'));
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    });
  }

  test('a file larger than a function may be is not read', async () => {
    const { folder, files } = stage();
    writeFileSync(path.join(folder, 'big.yaml'), 'x'.repeat(TEAM_LIMITS.functionFileBytes + 1));
    await expect(files.read('big')).rejects.toThrowError(code('too_large'));
  });
});

describe('bounds and ends', () => {
  test('nothing stays open, and what is as large as may be is read and written', async () => {
    const { project, folder, files } = stage();
    await files.write('f', VALUE, { force: false });
    await files.read('f');
    writeFileSync(path.join(folder, 'full.yaml'), 'a: 1 #'.padEnd(TEAM_LIMITS.functionFileBytes, 'x'));
    expect((await files.read('full')).value).toEqual({ a: 1 });
    writeFileSync(path.join(project, 'brief.md'), 'x'.repeat(TEAM_LIMITS.functionValueBytes));
    expect(await files.readContent('brief.md')).toHaveProperty('text');
    await expect(
      files.write('g', { a: 'x'.repeat(TEAM_LIMITS.functionFileBytes) }, { force: false }),
    ).rejects.toThrowError(code('too_large'));
    expect(await files.list()).toHaveLength(2);
    await files.write('h', { a: 'x'.repeat(TEAM_LIMITS.functionFileBytes - 'a: \n'.length) }, { force: false });
    expect(statSync(path.join(folder, 'h.yaml')).size).toBe(TEAM_LIMITS.functionFileBytes);
    expect(openBelow(project)).toEqual([]);
  });

  test('a refusal says where: the file, and the line where there is one', async () => {
    const refusal = async (text: string) =>
      await parseYaml(text, 'f.yaml').then(
        () => new TroupeError('internal'),
        (error: TroupeError) => error,
      );
    expect(await refusal('a: 1\na: 2\n')).toMatchObject({
      ...{ message: expect.stringMatching(/^f\.yaml:2: ./), details: { file: 'f.yaml', line: 2 } },
    });
    const long = await parseYaml('a: [', 'f'.repeat(201)).catch((error: TroupeError) => error.details['file']);
    expect(long).toBe(`${'f'.repeat(199)}…`);
    const whole = await refusal('{ [a]: 1 }');
    const line = whole.details['line'];
    expect(whole.message).toMatch(line === undefined ? /^f\.yaml: ./ : /^f\.yaml:\d+: ./);
  });

  test('where there is no folder of functions there are none', async () => {
    for (const make of [() => room(), () => stage().project])
      expect(await new FunctionFolder(make()).list()).toEqual([]);
    const project = room();
    mkdirSync(path.join(project, '.workgraph'));
    writeFileSync(path.join(project, '.workgraph/functions'), '');
    expect(await new FunctionFolder(project).list()).toEqual([]);
    const { folder, files } = stage();
    for (let number = 0; number <= TEAM_LIMITS.functionsListed; number++)
      writeFileSync(path.join(folder, `f-${number}.yaml`), '');
    const ids = (await files.list()).map(({ id }) => id);
    expect([ids.length, ids]).toEqual([TEAM_LIMITS.functionsListed, [...ids].sort()]);
    mkdirSync(path.join(folder, 'folder.yaml'));
    await expect(files.read('folder')).rejects.toThrowError(code('unsafe_path'));
  });
});
