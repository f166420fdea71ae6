// node tooling/operations.mjs [--check]: writes the rows of all operations as plain data, which start-up loads in place of
// the operations; --check reports stale rows instead. A new row comes last in its group: move it where people look for
// it, the order is kept.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { HOME } from './prepare.mjs';

const ROOT = 'src/operations';
/** Rows of the graph are in a file of their own: most command lines need no others. */
const FILES = { graph: `${ROOT}/graph-rows.ts`, other: `${ROOT}/other-rows.ts` };
const HEAD =
  '// Made by `node tooling/operations.mjs` from the operations. Only the order of the rows is edited by hand.';

const ENTRY = path.join(HOME, ROOT, 'entry.ts');
const NO_ROWS = 'export const GRAPH_ROWS = [], OTHER_ROWS = [], UNLISTED_ROWS = [];';

/** Operations with the module and export of each, and `rowOf` of the source. */
async function loadOperations() {
  const { rolldown } = await import('rolldown');
  const files = readdirSync(path.join(HOME, ROOT), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && readFileSync(path.join(HOME, ROOT, file), 'utf8').includes('operation({'))
    .map((file) => file.replaceAll(path.sep, '/'))
    .sort();
  const entry = [
    `export { rowOf } from '#operations/fields.js';`,
    ...files.map((file, index) => `export * as m${index} from '#operations/${file.replace(/ts$/, 'js')}';`),
  ].join('\n');
  const folder = mkdtempSync(path.join(tmpdir(), 'troupe-operations-'));
  try {
    const bundle = await rolldown({
      cwd: HOME,
      input: { entry: ENTRY },
      platform: 'node',
      external: [/^node:/],
      plugins: [
        {
          name: 'operations',
          // The rows that are about to be written may be missing, or name files that are gone.
          resolveId: (id) => (id === ENTRY ? id : /\/(?:graph|other)-rows\.js$/.test(id) ? 'no-rows' : null),
          load: (id) => (id === ENTRY ? entry : id === 'no-rows' ? NO_ROWS : null),
        },
      ],
      resolve: { conditionNames: ['import', 'node', 'default'], extensionAlias: { '.js': ['.ts', '.js'] } },
      logLevel: 'silent',
    });
    await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs' });
    await bundle.close();
    const { rowOf, ...modules } = await import(pathToFileURL(path.join(folder, 'entry.mjs')));
    const found = new Map();
    for (const [index, file] of files.entries())
      for (const [name, value] of Object.entries(modules[`m${index}`])) {
        if (typeof value?.run !== 'function' || value.input === undefined) continue;
        const before = found.get(value.name);
        if (before) throw new Error(`${value.name} is declared in ${before.file} and in ${file}.`);
        found.set(value.name, { file, name, row: rowOf(value) });
      }
    return found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Names of the rows in the order of the present files. */
function presentOrder() {
  const texts = Object.values(FILES).map((file) =>
    existsSync(path.join(HOME, file)) ? readFileSync(path.join(HOME, file), 'utf8') : '',
  );
  return texts.flatMap((text) => [...text.matchAll(/^ {2}\{ name: '([^']+)'/gm)].map(([, name]) => name));
}

/** Puts each operation at its present place, and a new one behind the last of its group. */
function inOrder(operations) {
  const names = presentOrder().filter((name) => operations.has(name));
  for (const [name, { row }] of operations) {
    if (names.includes(name)) continue;
    const last = names.findLastIndex((other) => operations.get(other).row.group === row.group);
    names.splice(last === -1 ? names.length : last + 1, 0, name);
  }
  return names.map((name) => operations.get(name));
}

/** The text of each file of rows. */
function filesOf(operations) {
  const rows = inOrder(operations);
  const inGraph = ({ file, row }) => file.startsWith('graph/') && row.unlisted === undefined;
  const others = rows.filter((one) => !inGraph(one));
  return new Map([
    [FILES.graph, textOf({ GRAPH_ROWS: rows.filter(inGraph) })],
    [
      FILES.other,
      textOf({
        OTHER_ROWS: others.filter(({ row }) => row.unlisted === undefined),
        UNLISTED_ROWS: others.filter(({ row }) => row.unlisted !== undefined),
      }),
    ],
  ]);
}

/** Arguments and flags that several rows of a file share are written once. */
function textOf(tables) {
  const count = new Map();
  for (const { row } of Object.values(tables).flat())
    for (const part of [...(row.arguments ?? []), ...(row.options ?? [])]) {
      const text = literal(part);
      count.set(text, (count.get(text) ?? 0) + 1);
    }
  const shared = new Map([...count].filter(([, times]) => times > 1).map(([text], index) => [text, `P${index + 1}`]));
  const parts = (list) => `[${list.map((part) => shared.get(literal(part)) ?? literal(part)).join(', ')}]`;
  const line = ({ file, name: exported, row: { name, arguments: words, options, ...declaration } }) => {
    const fields = [
      ...Object.entries({ name, ...declaration }).map(([key, value]) => `${key}: ${literal(value)}`),
      ...(words.length > 0 ? [`arguments: ${parts(words)}`] : []),
      ...(options.length > 0 ? [`options: ${parts(options)}`] : []),
      `load: () => import('./${file.replace(/ts$/, 'js')}').then((module) => module.${exported})`,
    ];
    return `  { ${fields.join(', ')} },`;
  };
  return [
    HEAD,
    `import type { OperationSpec } from './operation-spec.js';`,
    '',
    ...[...shared].map(([text, name]) => `const ${name} = ${text} as const;`),
    ...Object.entries(tables).flatMap(([name, rows]) => [
      '',
      `export const ${name} = [`,
      ...rows.map(line),
      '] as const satisfies readonly OperationSpec[];',
    ]),
    '',
  ].join('\n');
}

function literal(value) {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (value !== null && typeof value === 'object')
    return `{ ${Object.entries(value)
      .map(([key, one]) => `${key}: ${literal(one)}`)
      .join(', ')} }`;
  if (typeof value !== 'string') return String(value);
  return value.includes("'") ? JSON.stringify(value) : `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"')}'`;
}

const files = filesOf(await loadOperations());
const stale = [...files].filter(
  ([file, text]) => !existsSync(path.join(HOME, file)) || readFileSync(path.join(HOME, file), 'utf8') !== text,
);
if (process.argv.includes('--check')) {
  for (const [file] of stale) process.stderr.write(`${file} is stale. Run: node tooling/operations.mjs\n`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const [file, text] of stale) writeFileSync(path.join(HOME, file), text);
  process.stdout.write(
    stale.length === 0 ? 'the rows of operations are current\n' : `wrote ${stale.map(([file]) => file).join(', ')}\n`,
  );
}
