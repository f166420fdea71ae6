import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { NOTHING_AHEAD, type ParsedAhead, ParsedByBuild } from '#adapters/catalog/parsed-ahead.js';
import { YamlCatalog } from '#adapters/catalog/yaml-catalog.js';
import { readLines } from '#adapters/catalog/yaml-file.js';
import { strictYaml } from '#adapters/disk/strict-yaml.js';
import { sha256 } from '#kernel/hash.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const SHIPPED = path.resolve(import.meta.dirname, '../../../data/catalog');

/** A copy of the shipped catalog with one file changed. */
function changed(file: string, change: (text: string) => string, ahead: ParsedAhead = NOTHING_AHEAD): YamlCatalog {
  const folder = path.join(room('catalog'), 'catalog');
  cpSync(SHIPPED, folder, { recursive: true });
  const target = path.join(folder, file);
  mkdirSync(path.dirname(target), { recursive: true });
  let text = '';
  try {
    text = readFileSync(target, 'utf8');
  } catch {
    // a new file
  }
  writeFileSync(target, change(text));
  return new YamlCatalog(folder, ahead);
}

verifies('sec.parse', 'YAML that means more than it says is refused with its line', async () => {
  const bomb = 'id: x\na: &a [b]\nc: [*a, *a]\n';
  const cases: [string, (text: string) => string, RegExp][] = [
    ['lexicon.yaml', () => bomb, /lexicon.yaml:3: aliases/],
    ['lexicon.yaml', (text) => `${text}\nstop_words: [again]\n`, /lexicon.yaml:\d+: the key stop_words appears twice/],
    ['archetypes/writer.yaml', (text) => `${text}\n__proto__: {leads: true}\n`, /writer.yaml:\d+: the key __proto__/],
    ['builtins.yaml', (text) => `\ufeff${text}`, /builtins.yaml:1: begins with a byte order mark/],
    ['builtins.yaml', () => 'a: !!binary aGk=\n', /builtins.yaml:1:/],
    ['builtins.yaml', () => `${'['.repeat(40_000)}`, /builtins.yaml/],
    ['builtins.yaml', () => '- {name: Scribe\n', /builtins.yaml:\d/],
    ['builtins.yaml', () => 'x'.repeat(300 * 1024), /builtins.yaml: larger/],
  ];
  for (const [file, change, message] of cases) {
    await expect(changed(file, change).load()).rejects.toThrow(
      expect.objectContaining({ code: 'catalog_invalid', message: expect.stringMatching(message) }),
    );
  }
});

verifies('catalog.schema', 'an error in a file names its line and its field', async () => {
  const line =
    readFileSync(path.join(SHIPPED, 'archetypes/writer.yaml'), 'utf8')
      .split('\n')
      .findIndex((text) => text.startsWith('leads:')) + 1;
  const wrong = changed('archetypes/writer.yaml', (text) => text.replace(/^leads: .*$/m, 'leads: maybe'));
  await expect(wrong.load()).rejects.toThrow(`archetypes/writer.yaml:${line}: leads: must be true or false`);
  const extra = changed('archetypes/writer.yaml', (text) => `${text.trimEnd()}\ncolour: red\n`);
  await expect(extra.load()).rejects.toThrow(/writer.yaml:\d+: colour: is an unknown field/);
  const missing = changed('archetypes/writer.yaml', (text) => text.replace(/^title: .*\n/m, ''));
  await expect(missing.load()).rejects.toThrow(/writer.yaml:1: title: is missing/);
});

test('what was parsed ahead stands for the very text alone, and an error in it names its line', async () => {
  const text = readFileSync(path.join(SHIPPED, 'archetypes/writer.yaml'), 'utf8');
  const file = path.join(room(), 'catalog.json');
  const known = (value: unknown) => writeFileSync(file, brotliCompressSync(JSON.stringify({ [sha256(text)]: value })));
  known({ ...(strictYaml(text).value as object), leads: 'maybe' });
  const line = text.split('\n').findIndex((row) => row.startsWith('leads:')) + 1;
  await expect(new YamlCatalog(SHIPPED, new ParsedByBuild(file)).load()).rejects.toThrow(
    `writer.yaml:${line}: leads: must`,
  );
  const touched = changed('archetypes/writer.yaml', (before) => `${before}# another text\n`, new ParsedByBuild(file));
  expect((await touched.load()).archetypes.has('writer')).toBe(true);
  const without = new YamlCatalog(SHIPPED, new ParsedByBuild(path.join(room(), 'nowhere.json')));
  expect((await without.load()).archetypes.has('writer')).toBe(true);
});

test('nothing is read before it is asked for', async () => {
  const nowhere = new YamlCatalog(path.join(room(), 'nowhere'), NOTHING_AHEAD);
  await expect(nowhere.load()).rejects.toThrow(
    expect.objectContaining({ code: expect.stringMatching(/catalog_invalid|unreadable/) }),
  );
});

test('values that the build has parsed are found by their texts, once there is a file of them', () => {
  const file = path.join(room('ahead'), 'values.json');
  expect(new ParsedByBuild(file).of('a')).toBeUndefined();
  writeFileSync(file, brotliCompressSync(JSON.stringify({ [sha256('a')]: { b: 1 } })));
  const ahead = new ParsedByBuild(file);
  expect([ahead.of('a'), ahead.of('b'), NOTHING_AHEAD.of('a')]).toEqual([{ value: { b: 1 } }, undefined, undefined]);
  writeFileSync(file, '{}');
  expect(ahead.of('a'), 'it is read once').toEqual({ value: { b: 1 } });
  writeFileSync(file, '[]');
  expect(new ParsedByBuild(file).of('a')).toBeUndefined();
  expect(() => new ParsedByBuild(path.dirname(file)).of('a')).toThrow('EISDIR');
});

test('a workflow whose id is not the name of its file is refused, and so is a catalog without a policy', async () => {
  const [id = ''] = (await new YamlCatalog(SHIPPED, NOTHING_AHEAD).load()).workflows;
  const renamed = changed(`workflows/${id}.yaml`, (text) => text.replace(/^id: .*$/m, 'id: other'));
  await expect(renamed.workflow(id)).rejects.toMatchObject({
    ...{ code: 'workflow_invalid', message: `workflows/${id}.yaml: id: “other” is not the name of the file` },
  });
  const empty = new YamlCatalog(room('empty'), NOTHING_AHEAD);
  await expect(empty.policyText()).rejects.toThrow('rai-policy.md: the file is missing');
  await expect(empty.blueprints()).rejects.toThrow('The catalog folder blueprints cannot be read.');
  expect(await new YamlCatalog(SHIPPED, NOTHING_AHEAD).policyText()).toMatch(/^# /);
});

test('an entry is called as its file is', async () => {
  const folder = room('catalog');
  mkdirSync(path.join(folder, 'review-policies'));
  const catalog = new YamlCatalog(folder, NOTHING_AHEAD);
  writeFileSync(path.join(folder, 'review-policies/b.yaml'), 'id: b\nsteps: [rai]\n');
  writeFileSync(path.join(folder, 'review-policies/a.yaml'), '\nid: a\nsteps: []\n');
  writeFileSync(path.join(folder, 'review-policies/notes.txt'), '');
  expect([...(await catalog.reviewPolicies())]).toEqual([
    ['a', { id: 'a', steps: [] }],
    ['b', { id: 'b', steps: ['rai'] }],
  ]);
  writeFileSync(path.join(folder, 'review-policies/c.yaml'), '\nid: d\nsteps: []\n');
  await expect(catalog.reviewPolicies()).rejects.toThrow(
    'review-policies/c.yaml:2: id: “d” is not the name of the file',
  );
  expect(await catalog.lint()).toEqual({ files: 0, problems: [] });
});

test('a text file is known by its lines', async () => {
  const folder = room('lines');
  writeFileSync(path.join(folder, 'a.txt'), 'one\r\ntwo\n');
  const { lineOf, ...file } = await readLines(folder, 'a.txt');
  expect([file, lineOf?.([1]), lineOf?.([]), lineOf?.(['x'])]).toEqual([
    { name: 'a.txt', value: ['one', 'two', ''] },
    ...[2, undefined, undefined],
  ]);
  await expect(readLines(folder, 'b.txt')).rejects.toThrow('b.txt: the file is missing');
  writeFileSync(path.join(folder, 'a.txt'), 'x'.repeat(TEAM_LIMITS.catalogFileBytes));
  expect((await readLines(folder, 'a.txt')).lineOf?.([0])).toBe(1);
  writeFileSync(path.join(folder, 'a.txt'), 'x'.repeat(TEAM_LIMITS.catalogFileBytes + 1));
  await expect(readLines(folder, 'a.txt')).rejects.toThrow('a.txt: larger than');
});

test('workflows are those the manifest names; others are unknown, also those that climb', async () => {
  const catalog = new YamlCatalog(SHIPPED, NOTHING_AHEAD);
  for (const id of ['nothing', '../manifest', 'repository-reveiw']) {
    await expect(catalog.workflow(id)).rejects.toThrow(expect.objectContaining({ code: 'unknown_workflow' }));
  }
  await expect(catalog.workflow('repository-reveiw')).rejects.toThrow(
    expect.objectContaining({ hint: 'Did you mean repository-review?' }),
  );
  expect(await catalog.charterTemplates(['../rai-policy'])).toEqual(new Map());
});
