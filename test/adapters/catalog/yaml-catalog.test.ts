import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { NOTHING_AHEAD, type ParsedAhead, ParsedByBuild } from '#adapters/catalog/parsed-ahead.js';
import { YamlCatalog } from '#adapters/catalog/yaml-catalog.js';
import { strictYaml } from '#adapters/disk/strict-yaml.js';
import { sha256 } from '#kernel/hash.js';
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
  const known = (value: unknown) => writeFileSync(file, JSON.stringify({ [sha256(text)]: value }));
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
