// node tooling/reference.mjs [--check]: generates docs/reference/ from the tables in the source; --check reports stale
// pages instead.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { billOfMaterials, shippedComponents } from './components.mjs';
import { sourceFolders } from './folder-map.mjs';
import { fromSource } from './from-source.mjs';
import { manualPage } from './manual-page.mjs';
import { HOME } from './prepare.mjs';
import { QUESTIONS } from './questions.mjs';

const FOLDER = 'docs/reference';
const BILL = `${FOLDER}/components.cdx.json`;
const GENERATED = 'Made by `node tooling/reference.mjs` from the source. Do not edit it by hand.';

/**
 * Pages of the reference by path, generated from the tables `OPERATIONS`, `ALL_COMMANDS`, `FOR_PROGRAMS`, `topicsOf`,
 * `EVERYDAY`, `GLOBAL_OPTIONS`, `errorCodes`, `UNLISTED`, `SERVER_ADDRESSES` and `RESOURCE_ROUTES`, and by `openApi`.
 * They are a parameter so that a test can pass those it has loaded.
 */
export async function referencePages(tables) {
  const { OPERATIONS, UNLISTED, RESOURCE_ROUTES, openApi } = tables;
  const api = await openApi({ operations: OPERATIONS, unlisted: UNLISTED, resources: RESOURCE_ROUTES });
  const pages = {
    'cli.md': cliPage(tables),
    'components.md': componentPage(),
    'errors.md': errorPage(tables),
    'http.md': httpPage(tables, api),
    'map.md': mapPage(),
    'openapi.json': documentLines(api),
    'questions.md': questionPage(tables),
    'troupe.1': manualPage(tables),
  };
  const texts = Object.entries(pages).map(([name, lines]) => [`${FOLDER}/${name}`, `${lines.join('\n')}\n`]);
  return new Map([...texts, [BILL, `${JSON.stringify(billOfMaterials(), null, 1)}\n`]]);
}

function cliPage({ ALL_COMMANDS, FOR_PROGRAMS, topicsOf, GLOBAL_OPTIONS }) {
  return [
    '# Commands',
    '',
    GENERATED,
    '',
    'Every command takes these flags:',
    '',
    ...table(
      ['Flag', 'Meaning'],
      GLOBAL_OPTIONS.map((option) => [flagWords(option), option.summary]),
    ),
    '',
    'Results go to stdout, everything else to stderr. The exit code is 0 when the command did what it says, 1 when it was',
    'refused or failed, 2 when its words are wrong, 130 when a watched run was interrupted. A flag that takes a list may be',
    'repeated, and takes commas.',
    ...topicsOf(ALL_COMMANDS).flatMap(({ group, summary, entries }) => [
      ...['', `## ${group}`, '', sentence(summary)],
      ...entries.flatMap((entry) => ['', ...commandLines(entry)]),
    ]),
    ...['', '## Commands of programs', ''],
    'Agents, git and the hooks of clients type these; `troupe COMMAND --help` shows their flags.',
    '',
    ...table(
      ['Command', 'What it does'],
      FOR_PROGRAMS.map(({ command, summary }) => [code(`troupe ${command}`), sentence(summary)]),
    ),
  ];
}

function mapPage() {
  const rows = sourceFolders().map(({ folder, entry, overview, files }) => [
    `[\`${folder}\`](../../${folder})`,
    overview,
    `[\`${entry}\`](../../${folder}/${entry})`,
    files,
  ]);
  return [
    '# Map of the source',
    '',
    GENERATED,
    '',
    'A folder is entered through its own files; the folders below it are private to it. What a folder is for is said at the top of',
    'one of its files. Which folder may import which stands in `.dependency-cruiser.mjs`, with the reasons.',
    '',
    ...table(['Folder', 'What it is for', 'Start reading', 'Files'], rows),
  ];
}

function commandLines(entry) {
  const words = (entry.arguments ?? []).map((argument) => {
    const name = argument.field.toUpperCase() + (argument.many ? '…' : '');
    return argument.required ? name : `[${name}]`;
  });
  const rows = [
    ...(entry.arguments ?? []).map((argument) => [code(argument.field.toUpperCase()), argument.summary]),
    ...(entry.options ?? []).map((option) => [flagWords(option), option.summary]),
  ];
  return [
    `### ${entry.command}`,
    '',
    sentence(entry.summary),
    '',
    code(`troupe ${[entry.command, ...words].join(' ')}`),
    ...(rows.length === 0 ? [] : ['', ...table(['Word', 'Meaning'], rows)]),
    '',
    '```sh',
    ...entry.examples,
    '```',
  ];
}

function flagWords(option) {
  const value = option.type === 'switch' ? '' : ` ${option.value ?? 'TEXT'}`;
  const short = option.short ? `${code(`-${option.short}`)}, ` : '';
  const others = (option.aliases ?? []).map((alias) => `, ${code(`--${alias}`)}`).join('');
  return `${short}${code(`--${option.flag}${value}`)}${others}`;
}

const WHERE = {
  program: 'built into the program',
  dashboard: 'built into the dashboard',
  beside: 'installed beside it, where the machine allows it',
};

function componentPage() {
  const components = shippedComponents();
  return [
    '# Components',
    '',
    GENERATED,
    '',
    'What Troupe brings along that others wrote, from its lockfile, with the licence each states. None runs a script when it',
    'is installed. For programs the same is in [components.cdx.json](components.cdx.json), a software bill of materials.',
    '',
    ...table(
      ['Package', 'Version', 'Licence', 'Where'],
      components.map(({ name, version, license, where }) => [name, version, license, WHERE[where]]),
    ),
  ];
}

function errorPage({ errorCodes }) {
  return [
    '# Error codes',
    '',
    GENERATED,
    '',
    'An error on the command line reads `error[code]: what happened`, then a hint. With `--json` it is one JSON value on',
    'stderr, `{"error": {"code", "message", "why", "hint", "details"}}`; over HTTP the same value is the body. Codes are',
    'stable: scripts may match on them. The sentence and the hint are what is said when nothing more precise is known.',
    '',
    ...table(
      ['Code', 'What happened', 'What to do', 'Exit', 'HTTP'],
      Object.entries(errorCodes()).map(([name, row]) => [code(name), row.sentence, row.hint, row.exit, row.http]),
    ),
  ];
}

/** The errors met first. Throws if one of them is no code any more. */
function questionPage({ errorCodes }) {
  return [
    '# Questions by error code',
    '',
    GENERATED,
    '',
    'Every error of Troupe has a code, a sentence and a hint. These are the ones that people meet first;',
    '[all codes](errors.md) are in the reference. If nothing helps, `troupe problems` lists what will not continue by itself, and',
    '`troupe doctor` examines this machine and this project.',
    ...Object.entries(QUESTIONS).flatMap(([name, reason]) => {
      const { sentence: what, hint } = errorCodes()[name];
      return ['', `## ${name}`, '', `**${what}** ${reason}`, '', hint];
    }),
  ];
}

/** The document as JSON with a line for each operation, so that a difference is one of operations. */
function documentLines({ paths, ...rest }) {
  const json = (value) => JSON.stringify(value);
  const commas = (lines) => lines.map((line, index) => (index < lines.length - 1 ? `${line},` : line));
  const addresses = Object.entries(paths).map(([path, methods]) => {
    const operations = Object.entries(methods).map(([method, operation]) => `  ${json(method)}: ${json(operation)}`);
    return [` ${json(path)}: {`, ...commas(operations), ' }'].join('\n');
  });
  const others = Object.entries(rest).map(([name, value]) => `${json(name)}: ${json(value)}`);
  return ['{', ...commas([...others, ['"paths": {', ...commas(addresses), '}'].join('\n')]), '}'];
}

function httpPage({ OPERATIONS, SERVER_ADDRESSES, RESOURCE_ROUTES }, api) {
  const routed = OPERATIONS.filter((spec) => spec.where !== 'caller');
  return [
    '# HTTP',
    '',
    GENERATED,
    '',
    'One server for the dashboard and for programs, on `127.0.0.1` and a free port. It starts when somebody first asks for',
    'it: with `troupe run`, `troupe trial`, or `troupe dashboard` while the service runs. `troupe dashboard` prints a',
    'one-time link for one browser. Programs send the token from `.workgraph/service/http-token` as',
    '`Authorization: Bearer TOKEN`. Requests that name another host or come from another origin are refused.',
    '',
    'Reads use GET with the fields in the query, a list by repeating its field. Changes use POST with a JSON object as body',
    'and `Content-Type: application/json`; a name behind a colon stands for any one. Fields of every answer are in snake case. Every refusal has the form and the codes of [the error page](errors.md).',
    'The same for programs is in [openapi.json](openapi.json); a server answers it at `/api/openapi.json`.',
    '',
    ...table(
      ['Address', 'What it is'],
      [
        ...[...SERVER_ADDRESSES, ...RESOURCE_ROUTES].map(({ method, path, summary }) => [
          code(`${method} ${path}`),
          summary,
        ]),
        ...routed.map((spec) => [code(address(spec)), sentence(spec.summary)]),
      ],
    ),
    ...Object.entries(api.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) => ['', ...operationLines(method, path, operation)]),
    ),
  ];
}

const address = (spec) => `${spec.kind === 'read' ? 'GET' : 'POST'} /api/${spec.name.replaceAll('.', '/')}`;

/** Input and answer of one operation of the OpenAPI document. */
function operationLines(method, path, { operationId, summary, description, parameters = [], requestBody, responses }) {
  const words = `${method.toUpperCase()} ${path}`;
  const isNamed = `/api/${operationId.replaceAll('.', '/')}` === path;
  const inputs = parameters
    .filter((parameter) => parameter.$ref === undefined)
    .map(({ name, schema, required, description: meaning = '' }) => [
      code(name),
      typeOf(schema),
      required ? 'yes' : '',
      meaning,
    ]);
  const bodies = formsOf(requestBody?.content['application/json'].schema).map(fieldRows);
  const [status, answer] = Object.entries(responses)[0];
  const answers = formsOf(answer.content?.['application/json']?.schema).map(answerRows);
  const hasFields = inputs.length + bodies.flat().length > 0;
  return [
    `## ${isNamed ? operationId : words}`,
    '',
    [...(isNamed ? [`${code(words)}:`] : []), sentence(summary), ...(description ? [description] : [])].join(' '),
    '',
    ...(hasFields ? [] : ['It takes no fields.']),
    ...tables(FIELDS, [inputs]),
    ...(inputs.length > 0 && bodies.flat().length > 0 ? ['', 'In the body:', ''] : []),
    ...tables(FIELDS, bodies),
    '',
    ...(answers.flat().length === 0 ? [`Answer: ${status}. ${answer.description}`] : ['Answer:', '']),
    ...tables(['Field', 'Type', 'Present'], answers),
  ];
}

const FIELDS = ['Field', 'Type', 'Required', 'Meaning'];

/** The alternatives of a schema; none of no schema. */
const formsOf = (schema) =>
  schema === undefined ? [] : (schema.anyOf ?? (schema.oneOf?.[0].type ? schema.oneOf : [schema]));

const tables = (head, each) =>
  each
    .filter((rows) => rows.length > 0)
    .flatMap((rows, index) => [...(index === 0 ? [] : ['', 'Or:', '']), ...table(head, rows)]);

function fieldRows({ properties = {}, required = [] }) {
  return Object.entries(properties).map(([name, field]) => [
    code(name),
    typeOf(field),
    required.includes(name) ? 'yes' : '',
    field.description ?? '',
  ]);
}

function answerRows({ properties = {}, required = [] }) {
  return Object.entries(properties).map(([name, field]) => [
    code(name),
    typeOf(field),
    required.includes(name) ? 'always' : '',
  ]);
}

/** Short description of a JSON Schema's type. */
function typeOf(schema) {
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum) return schema.enum.map((value) => code(String(value))).join(', ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' or ');
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`;
  if (schema.type === 'object') {
    const names = Object.keys(schema.properties ?? {});
    return names.length === 0 ? 'object' : `object (${names.map(code).join(', ')})`;
  }
  return (
    { string: 'text', integer: 'whole number', boolean: 'yes or no', null: 'nothing' }[schema.type] ??
    schema.type ??
    'any value'
  );
}

const code = (text) => `\`${text}\``;

/** Turns a summary into a sentence: some tables hold fragments. */
function sentence(text) {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?]$/.test(whole) ? whole : `${whole}.`;
}

function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}

/** The tables of the source, and what makes the OpenAPI document of them. */
async function loadTables() {
  const modules = await fromSource({
    operations: 'src/operations/table.ts',
    commands: 'src/surfaces/cli/command.ts',
    topics: 'src/surfaces/cli/topics.ts',
    help: 'src/surfaces/cli/help.ts',
    codes: 'src/kernel/errors.ts',
    addresses: 'src/surfaces/http/addresses.ts',
    openapi: 'src/surfaces/http/openapi.ts',
  });
  return Object.assign({}, ...Object.values(modules));
}

function textOf(file) {
  try {
    return readFileSync(path.join(HOME, file), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

async function main() {
  const pages = await referencePages(await loadTables());
  const stale = [...pages].filter(([file, text]) => textOf(file) !== text).map(([file]) => file);
  if (process.argv.includes('--check')) {
    for (const file of stale) process.stderr.write(`${file} is stale. Run: node tooling/reference.mjs\n`);
    process.exitCode = stale.length > 0 ? 1 : 0;
    return;
  }
  mkdirSync(path.join(HOME, FOLDER), { recursive: true });
  for (const file of stale) writeFileSync(path.join(HOME, file), pages.get(file));
  process.stdout.write(stale.length === 0 ? 'docs/reference/ is current\n' : `wrote ${stale.join(', ')}\n`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
