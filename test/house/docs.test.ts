import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { expect, test } from 'vitest';
import { errorCodes } from '#kernel/errors.js';
import { FORMATS, jsonSchema } from '#operations/settings/formats.js';
import { OPERATIONS, UNLISTED } from '#operations/table.js';
import { ALL_COMMANDS, FOR_PROGRAMS } from '#surfaces/cli/command.js';
import { findEntry } from '#surfaces/cli/entries.js';
import { GLOBAL_OPTIONS } from '#surfaces/cli/help.js';
import { parseFlags } from '#surfaces/cli/parse-flags.js';
import { EVERYDAY, topicsOf } from '#surfaces/cli/topics.js';
import { RESOURCE_ROUTES, SERVER_ADDRESSES } from '#surfaces/http/addresses.js';
import { openApi } from '#surfaces/http/openapi.js';
import { verifies } from '../verifies.js';
import { filesBelow } from './files.js';
import { TEMPLATE, withoutGlobals, wordsOf, wrongCommand } from './quoted-commands.js';

const HOME = path.resolve(import.meta.dirname, '../..');
const IN_ROOT = readdirSync(HOME);
const DOCUMENTS = [
  ...IN_ROOT.filter((name) => name.endsWith('.md')),
  ...filesBelow(path.join(HOME, 'docs'), /\.md$/).map((file) => path.relative(HOME, file)),
];
/** Folders of the repository a quoted path may begin with. `dist` is built: what is in it may not be there. */
const TOP_FOLDERS = ['src', 'test', 'tooling', 'data', 'docs', 'web', 'bench', '.ci'];
const { scripts } = JSON.parse(readFileSync(path.join(HOME, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

interface Quote {
  readonly where: string;
  readonly text: string;
}

interface Document {
  readonly links: readonly Quote[];
  /** Code in the running text. */
  readonly words: readonly Quote[];
  /** Lines of fenced shell code. */
  readonly lines: readonly Quote[];
  readonly anchors: ReadonlySet<string>;
}

/** The anchor that code hosts make of a heading. */
const anchorOf = (heading: string) =>
  heading
    .replace(/^#+ /, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- ]/gu, '')
    .replaceAll(' ', '-');

function read(file: string, text: string): Document {
  const [links, words, lines, anchors]: [Quote[], Quote[], Quote[], Set<string>] = [[], [], [], new Set()];
  const pending: Nodes[] = [fromMarkdown(text)];
  for (let node = pending.pop(); node; node = pending.pop()) {
    const where = `${file}:${node.position?.start.line ?? 1}`;
    if (node.type === 'link' || node.type === 'image' || node.type === 'definition')
      links.push({ where, text: node.url });
    else if (node.type === 'inlineCode') words.push({ where, text: node.value });
    else if (node.type === 'code' && /^(sh|bash|console)$/.test(node.lang ?? ''))
      lines.push(...node.value.split('\n').map((line) => ({ where, text: line })));
    else if (node.type === 'heading')
      anchors.add(anchorOf(text.split('\n')[(node.position?.start.line ?? 1) - 1] ?? ''));
    if ('children' in node) pending.push(...node.children);
  }
  // The parser knows no tables: their cells are paragraphs to it, so code in them is found like any other.
  return { links, words, lines, anchors };
}

const documents = new Map(DOCUMENTS.map((file) => [file, read(file, readFileSync(path.join(HOME, file), 'utf8'))]));
const all = (part: 'links' | 'words' | 'lines') => [...documents.values()].flatMap((document) => document[part]);

/** Links that lead nowhere, with their places. */
function brokenLinks(): string[] {
  return all('links')
    .filter(({ text }) => !/^[a-z]+:/.test(text))
    .filter(({ where, text }) => {
      const from = where.slice(0, where.lastIndexOf(':'));
      const [before = '', anchor] = text.split('#');
      const target = before === '' ? from : path.normalize(path.join(path.dirname(from), before));
      if (!existsSync(path.join(HOME, target))) return true;
      return anchor !== undefined && !documents.get(target)?.anchors.has(anchor);
    })
    .map(({ where, text }) => `${where}: ${text}`);
}

/** What a quoted path stands for, when it is one of ours: `#core/x.js` is a source, `src/…` itself. */
function ownPath(text: string): string | undefined {
  if (/^#[a-z]+\/[\w/-]+\.js$/.test(text)) return `src/${text.slice(1, -3)}.ts`;
  if (/^[A-Z]+\.md$/.test(text)) return text;
  const [top = ''] = text.split('/', 1);
  return TOP_FOLDERS.includes(top) && /^[\w./-]+$/.test(text) && text.includes('/') ? text : undefined;
}

test('links, images and anchors of the documents lead somewhere', () => {
  expect(all('links').length).toBeGreaterThan(30);
  expect(brokenLinks()).toEqual([]);
});

test('quoted paths of the repository exist', () => {
  const paths = all('words').flatMap(({ where, text }) => {
    const own = ownPath(text);
    return own === undefined ? [] : [{ where, own }];
  });
  expect(paths.length).toBeGreaterThan(50);
  expect(
    paths.filter(({ own }) => !existsSync(path.join(HOME, own))).map(({ where, own }) => `${where}: ${own}`),
  ).toEqual([]);
});

/** What is wrong with a quoted command line; undefined when nothing is, or when it is none of our commands. */
async function wrongWith(line: string): Promise<string | undefined> {
  const [program = '', ...words] = wordsOf(line);
  if (program === 'npm') return wrongScript(words);
  if (program === 'node') return words[0]?.includes('/') ? missingProgram(words[0]) : undefined;
  if (program !== 'troupe' && program !== 'wg') return undefined;
  return wrongCommand(words);
}

function wrongScript([verb = '', name = '']: readonly string[]): string | undefined {
  if (verb === 'run') return name in scripts ? undefined : `no script ${name}`;
  return ['start', 'test'].includes(verb) && !(verb in scripts) ? `no script ${verb}` : undefined;
}

const missingProgram = (file: string) =>
  file.startsWith('dist/') || existsSync(path.join(HOME, file)) ? undefined : `no file ${file}`;

async function wrongOnes(quotes: readonly Quote[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const { where, text } of quotes) {
    const what = await wrongWith(text);
    if (what !== undefined) wrong.push(`${where}: ${text}: ${what}`);
  }
  return wrong;
}

verifies('hold.switches', 'commands, flags and scripts that documents quote are taken by the parser', async () => {
  const quoted = [...all('lines'), ...all('words')].filter(({ text }) => /^(troupe|wg|npm|node) /.test(text));
  expect(quoted.length).toBeGreaterThan(100);
  expect(await wrongOnes(quoted)).toEqual([]);
});

/** Commands in sources and data: between backticks in a text, or a text of their own. What a template puts in is one word. */
function recommended(): Quote[] {
  const folders = ['src', 'web', 'data', 'tooling'].map((folder) => path.join(HOME, folder));
  return folders
    .flatMap((folder) => filesBelow(folder, /\.(tsx?|mjs|ya?ml|md|json)$/))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, index) => commandsIn(line, `${path.relative(HOME, file)}:${index + 1}`)),
    );
}

function commandsIn(line: string, where: string): Quote[] {
  const plain = line.replaceAll(/\$\{[^{}`]*(\{[^{}`]*\}[^{}`]*)*\}/g, TEMPLATE);
  const between = [...plain.matchAll(/`(troupe [^`\\]+)\\?`/g), ...plain.matchAll(/'(troupe [a-z][^'\\]*)'/g)];
  return between.map((match) => ({ where, text: match[1] ?? '' }));
}

verifies('hold.switches', 'every command that a text of the program recommends is taken by the parser', async () => {
  const quoted = recommended();
  expect(quoted.length).toBeGreaterThan(200);
  expect(await wrongOnes(quoted)).toEqual([]);
});

verifies('hold.switches', 'every example of every help is taken by the parser and by its operation', async () => {
  const wrong: string[] = [];
  for (const entry of ALL_COMMANDS) {
    for (const example of entry.examples) {
      const [, ...words] = wordsOf(example);
      const found = await findEntry(withoutGlobals(words));
      const input = found && (await parseFlags(found.entry, found.rest, '/').catch((error: Error) => error.message));
      const operation = found && 'kind' in found.entry ? await found.entry.load() : undefined;
      if (!found?.entry.command.startsWith(entry.command)) wrong.push(`${example}: is not ${entry.command}`);
      else if (typeof input === 'string') wrong.push(`${example}: ${input}`);
      else if (operation && !operation.input.safeParse(input).success) wrong.push(`${example}: bad input`);
    }
  }
  expect(wrong).toEqual([]);
});

/** Texts about the past, which keep the names of their time. */
const PAST = /^(?:CHANGELOG|docs\/decisions\/)/;

verifies('one.verbs', 'no text and no guide names a command by an older name', async () => {
  // A folded operation may show how it is called by its own name: over HTTP, say, where it is the only one.
  const examples = new Set<string>(OPERATIONS.flatMap((operation) => operation.examples));
  const quoted = [...recommended(), ...all('lines'), ...all('words')].filter(
    ({ where, text }) => /^(troupe|wg) /.test(text) && !PAST.test(where) && !examples.has(text),
  );
  const older: string[] = [];
  for (const { where, text } of quoted) {
    const found = await findEntry(withoutGlobals(wordsOf(text).slice(1)));
    if (found?.replaced) older.push(`${where}: ${text}: now troupe ${found.replaced.current}`);
  }
  expect(older).toEqual([]);
});

test('a wrong command is told from a right one', async () => {
  const lines = [
    'troupe lst',
    'troupe add a --afterwards b',
    'troupe service start now',
    'npm run nothing',
    'troupe show a --dir',
  ];
  for (const line of [...lines, 'node tooling/nothing.mjs', 'wg cast analyse'])
    expect(await wrongWith(line), line).toBeDefined();
  for (const line of ['troupe add "a b" --after c # why', 'troupe service', 'troupe COMMAND --help', 'npm ci'])
    expect(await wrongWith(line), line).toBeUndefined();
});

test('the generated reference is current', async () => {
  const { referencePages } = await import(path.join(HOME, 'tooling', 'reference.mjs'));
  const pages: Map<string, string> = await referencePages({
    OPERATIONS,
    ALL_COMMANDS,
    FOR_PROGRAMS,
    topicsOf,
    EVERYDAY,
    GLOBAL_OPTIONS,
    errorCodes,
    SERVER_ADDRESSES,
    RESOURCE_ROUTES,
    UNLISTED,
    openApi,
  });
  expect(pages.size).toBe(9);
  const stale = [...pages].filter(([file, text]) => readFileSync(path.join(HOME, file), 'utf8') !== text);
  expect(stale.map(([file]) => `${file} is stale: run node tooling/reference.mjs`)).toEqual([]);
});

test('the manual page holds every command and flag, in ASCII, and man renders it without a warning', () => {
  const page = readFileSync(path.join(HOME, 'docs/reference/troupe.1'), 'utf8');
  expect(page).toMatch(/^[\x20-\x7e\n]+$/);
  const lines = page.split('\n');
  const typed = (text: string) => text.replaceAll('-', '\\-');
  for (const { command, options = [] } of ALL_COMMANDS) {
    expect(lines).toContain(`.SS ${typed(`troupe ${command}`)}`);
    for (const { flag } of options) expect(page).toContain(typed(`--${flag}`));
  }
  const rendered = spawnSync('man', ['--warnings', '-E', 'UTF-8', '-l', 'docs/reference/troupe.1'], {
    cwd: HOME,
    encoding: 'utf8',
    env: { ...process.env, MANWIDTH: '80', MAN_KEEP_FORMATTING: '' },
  });
  if (rendered.error) return; // no man here
  expect([rendered.status, rendered.stderr]).toEqual([0, '']);
  expect(rendered.stdout).toContain('troupe worktree land');
});

verifies('graph.field', 'the schemas of the files are current', async () => {
  const { schemaFiles } = await import(path.join(HOME, 'tooling', 'formats.mjs'));
  const files: Map<string, string> = schemaFiles({ FORMATS, jsonSchema });
  expect(readdirSync(path.join(HOME, 'docs/formats')).sort()).toEqual([...files.keys()].sort());
  const stale = [...files].filter(
    ([name, text]) => readFileSync(path.join(HOME, 'docs/formats', name), 'utf8') !== text,
  );
  expect(stale.map(([name]) => `${name} is stale: run node tooling/formats.mjs`)).toEqual([]);
});

test('the guide names the projects of the tests as they are', () => {
  const config = readFileSync(path.join(HOME, 'vitest.config.ts'), 'utf8');
  const projects = [...config.matchAll(/\bproject\('([a-z]+)'/g)].map((match) => match[1] ?? '');
  const guide = readFileSync(path.join(HOME, 'CONTRIBUTING.md'), 'utf8');
  const used = [...all('lines'), ...all('words')].flatMap(
    ({ text }) => /vitest.* --project (\w+)/.exec(text)?.[1] ?? [],
  );
  expect(projects.length).toBeGreaterThan(2);
  expect(projects.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
  expect(used.filter((name) => !projects.includes(name))).toEqual([]);
});

test('the table of layers says what the checked table says', async () => {
  const { default: config } = await import(path.join(HOME, '.dependency-cruiser.mjs'));
  const rules = (config.forbidden as { name: string; comment: string }[]).filter((rule) =>
    /^[a-z]+-may-import$/.test(rule.name),
  );
  const text = readFileSync(path.join(HOME, 'ARCHITECTURE.md'), 'utf8').replace(/ +\|/g, ' |');
  expect(rules.length).toBeGreaterThan(5);
  for (const { name, comment } of rules) {
    const row = `| ${name.replace('-may-import', '')} | ${comment.split(': ')[1]} |`;
    expect(text, name).toContain(row);
  }
});

test('the README states no figure that was not measured', () => {
  const text = readFileSync(path.join(HOME, 'README.md'), 'utf8').replace(
    /<!-- bench -->[\s\S]*?<!-- \/bench -->/g,
    '',
  );
  const figures =
    text.match(/\b\d[\d.,]*\s?(ms|s|seconds?|minutes?|×|x faster|times faster|%|[KMG]i?B)(?=\W|$)/g) ?? [];
  expect(figures).toEqual([]);
});
