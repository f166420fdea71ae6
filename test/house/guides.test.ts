import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { FORMATS } from '#operations/settings/formats.js';
import { ALL_COMMANDS, FOR_PROGRAMS } from '#surfaces/cli/command.js';
import { findEntry } from '#surfaces/cli/entries.js';
import { GLOBAL_OPTIONS } from '#surfaces/cli/help.js';
import { parseFlags } from '#surfaces/cli/parse-flags.js';
import { verifies } from '../verifies.js';
import { READ_WHOLE } from './prose.js';
import { withoutGlobals, wordsOf } from './quoted-commands.js';

const FOLDER = path.resolve(import.meta.dirname, '../../docs/guide');
const GUIDES = readdirSync(FOLDER).filter((name) => name.endsWith('.md') && name !== 'README.md');
const MOST_WORDS = 1_200;
const wordsIn = (file: string) =>
  readFileSync(path.join(FOLDER, '../..', file), 'utf8')
    .trim()
    .split(/\s+/).length;
const textOf = (name: string) => readFileSync(path.join(FOLDER, name), 'utf8');

verifies('ui.words', 'the index names every guide, once, and there is one for each first question', () => {
  const named = [...textOf('README.md').matchAll(/\]\(([a-z-]+\.md)\)/g)].map(([, name = '']) => name);
  expect([...named].sort()).toEqual([...GUIDES].sort());
  expect(GUIDES).toEqual(expect.arrayContaining(['first-run.md', 'executors.md', 'dashboard.md', 'security.md']));
  expect(readFileSync(path.join(FOLDER, '../../README.md'), 'utf8')).toContain('docs/guide/README.md');
});

verifies('docs.short', 'no page that is read whole has more than 1,200 words, tables and code included', () => {
  const long = READ_WHOLE.map((file) => ({ file, words: wordsIn(file) })).filter(({ words }) => words > MOST_WORDS);
  expect(READ_WHOLE.length).toBeGreaterThan(60);
  expect(long).toEqual([]);
});

verifies('ui.words', 'a guide begins with an example one can run and ends with what comes next', () => {
  for (const name of GUIDES) {
    const text = textOf(name);
    const [, language, example = ''] = /^# [^\n]+\n\n```(sh|toml)\n([\s\S]*?)\n```\n/.exec(text) ?? [];
    expect(example, name).toMatch(language === 'toml' ? /^# \.workgraph\/\S+\n\[/ : /^troupe [a-z]/m);
    const [, next = ''] = text.split('\n## Next\n');
    expect(next, name).toMatch(/^\n(?:- [^\n]+\n(?: {2}[^\n]+\n)*)+$/);
    expect(next, name).toMatch(/\]\((?:\.\.\/)?[\w/#.-]+\)/);
  }
});

/** The commands in the shell blocks of a guide, as one types them. */
const typedIn = (name: string) =>
  [...textOf(name).matchAll(/```(?:sh|bash)[^\n]*\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
    block.split('\n').filter((line) => line.startsWith('troupe ')),
  );

/** What the program finds wrong with a line when it is typed as it is; undefined when nothing. */
async function refused(line: string): Promise<string | undefined> {
  const [, ...words] = wordsOf(line);
  const found = await findEntry(withoutGlobals(words));
  if (!found) return 'no such command';
  try {
    const input = await parseFlags(found.entry, found.rest, '/');
    const operation = 'kind' in found.entry ? await found.entry.load() : undefined;
    const parsed = operation?.input.safeParse(input);
    return parsed?.success === false ? JSON.stringify(parsed.error.issues) : undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

verifies('ui.words', 'each command in a block of a guide can be typed as it is', async () => {
  const wrong: string[] = [];
  let typed = 0;
  for (const name of GUIDES) {
    for (const line of typedIn(name)) {
      typed++;
      const what = await refused(line);
      if (what !== undefined) wrong.push(`${name}: ${line}: ${what}`);
    }
  }
  expect(typed).toBeGreaterThan(100);
  expect(wrong).toEqual([]);
  expect(await refused('troupe checkpoint')).toMatch(/required argument/);
});

verifies('ui.words', 'every flag that a guide names is one of ours', () => {
  const ours = [...ALL_COMMANDS, ...FOR_PROGRAMS].flatMap(({ options = [] }) => options).concat(GLOBAL_OPTIONS);
  const flags = new Set(ours.map(({ flag }) => flag));
  const named = GUIDES.flatMap((name) =>
    [...textOf(name).matchAll(/(?<!`)`--([a-z][a-z-]*)/g)].map(([, flag = '']) => ({ name, flag })),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ flag }) => !flags.has(flag))).toEqual([]);
});

test('the schema of a custom executor knows each key that its guide tells of', () => {
  const format = FORMATS.find(({ name }) => name === 'executor');
  const file = '.workgraph/executors/*.toml';
  expect(format?.file).toBe(file);
  const parse = (executor: object) => format?.schema.safeParse({ executor }).success;
  expect(parse({ command: 'tr', args: ['a-z', 'A-Z'] })).toBe(true);
  for (const [, key = ''] of textOf('executors.md').matchAll(/^\| `([a-z_]+)`(?:, `args`)? \|/gm)) {
    const values = ['30m', 'claude', 'ask', true, {}];
    expect(
      values.some((value) => parse({ command: 'tr', [key]: value })),
      key,
    ).toBe(true);
  }
  expect(parse({ command: 'tr', unknown: 1 })).toBe(false);
});
