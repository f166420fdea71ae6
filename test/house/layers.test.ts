import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { expect, test } from 'vitest';
import { room } from '../room.js';
import { filesBelow } from './files.js';

const HOME = path.resolve(import.meta.dirname, '../..');
const MODULES_LEAST = 150;

/** Imports that must be refused, each with the rule that refuses it. */
const VIOLATIONS: readonly [rule: string, file: string, text: string][] = [
  ['core-is-pure', 'core/graph/planted-disk.ts', "import 'node:fs';"],
  ['core-is-pure', 'kernel/planted.ts', "import 'picocolors';"],
  ['core-may-import', 'core/teams/planted.ts', "import '#adapters/git/local-git.js';"],
  ['core/graph-may-import', 'core/graph/planted-review.ts', "import '#core/review/finding.js';"],
  ['core/rooms-are-listed', 'core/planted/unlisted.ts', "import '#kernel/json.js';"],
  ['operations/review-may-import', 'operations/review/planted.ts', "import '#operations/graph/tasks.js';"],
  ['operations-share-downwards', 'operations/planted.ts', "import '#operations/graph/tasks.js';"],
  ['private-by-depth', 'core/coordinator/planted.ts', "import '#core/graph/lib/checks.js';"],
  ['adapters-do-not-meet', 'adapters/git/planted-meeting.ts', "import '#adapters/processes/process-table.js';"],
  ['surfaces-may-import', 'surfaces/cli/planted.ts', "import '#adapters/git/local-git.js';"],
  ['operations-may-import', 'operations/graph/planted.ts', "import '#surfaces/cli/screen.js';"],
  [
    'core-may-import',
    'core/review/planted-type.ts',
    "import type { Git } from '#ports/git.js'; export type Planted = Git;",
  ],
  ['core-may-import', 'core/review/planted-late.ts', "export const late = () => import('#adapters/git/local-git.js');"],
  ['one-strict-reader', 'adapters/git/planted-reader.ts', "import 'yaml';"],
  ['no-orphans', 'adapters/planted/alone.ts', 'export const alone = 1;'],
];

interface Violation {
  readonly rule: { readonly name: string };
  readonly from: string;
  readonly to: string;
}

/** Looks at a copy of the source in which every violation is planted; once, because a look takes seconds. */
async function judge(): Promise<{ modules: number; own: string[]; caught: string[] }> {
  const copy = room('house');
  for (const name of ['src', 'package.json', 'tsconfig.json'])
    cpSync(path.join(HOME, name), path.join(copy, name), { recursive: true });
  symlinkSync(path.join(HOME, 'node_modules'), path.join(copy, 'node_modules'));
  for (const [, file, text] of VIOLATIONS) {
    const planted = path.join(copy, 'src', file);
    mkdirSync(path.dirname(planted), { recursive: true });
    writeFileSync(planted, `${text}\nexport const planted = 1;\n`, { flag: 'wx' }); // over nothing that is there
  }
  const { default: config } = await import(path.join(HOME, '.dependency-cruiser.mjs'));
  const { tsConfig: _tsConfig, ...options } = config.options;
  const result = await cruise(
    ['src'],
    {
      ...options,
      baseDir: copy,
      validate: true,
      ruleSet: { forbidden: config.forbidden },
      tsConfig: { fileName: path.join(copy, 'tsconfig.json') },
      outputType: 'json',
    },
    // An import names the file that is built. Without the alias each is looked for in vain first, under every extension there is.
    { extensionAlias: { '.js': ['.ts', '.d.ts', '.js'] } },
    { tsConfig: extractTSConfig(path.join(copy, 'tsconfig.json')) },
  );
  const { summary } = JSON.parse(String(result.output)) as {
    summary: { totalCruised: number; violations: readonly Violation[] };
  };
  const planted = new Set(VIOLATIONS.map(([, file]) => `src/${file}`));
  const [own, caught] = [true, false].map((ours) =>
    summary.violations
      .filter(({ from }) => planted.has(from) !== ours)
      .map(({ rule, from, to }) => (ours ? `${rule.name}: ${from} → ${to}` : `${rule.name}: ${from}`)),
  );
  return { modules: summary.totalCruised, own: own ?? [], caught: caught ?? [] };
}

let judgement: ReturnType<typeof judge> | undefined;

test('the house keeps its own table of layers, and the table was really looked at', async () => {
  judgement ??= judge();
  const { modules, own } = await judgement;
  expect(own).toEqual([]);
  expect(modules).toBeGreaterThan(MODULES_LEAST);
}, 120_000);

test('no arrow between rooms leads back to where it comes from', async () => {
  const { ROOMS } = await import(path.join(HOME, '.dependency-cruiser.mjs'));
  for (const arrows of Object.values<Readonly<Record<string, readonly string[]>>>(ROOMS)) {
    const settled = new Set<string>();
    const free = () =>
      Object.keys(arrows).filter((room) => !settled.has(room) && arrows[room]?.every((to) => settled.has(to)));
    for (let rooms = free(); rooms.length > 0; rooms = free()) for (const room of rooms) settled.add(room);
    expect(Object.keys(arrows).filter((room) => !settled.has(room))).toEqual([]);
  }
});

/** Files of the dashboard that a file imports, also for types alone. */
function importedBy(file: string): string[] {
  const imports = readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'(\.{1,2}\/[^']+)\.js'/g);
  const found = [...imports].map(([, name = '']) => path.join(path.dirname(file), name));
  return found.flatMap((name) => [`${name}.ts`, `${name}.tsx`].filter((one) => existsSync(one)));
}

test('no file of the dashboard needs one that needs it', () => {
  const arrows = new Map(filesBelow(path.join(HOME, 'web/app'), /\.tsx?$/).map((file) => [file, importedBy(file)]));
  expect([...arrows.values()].flat().length).toBeGreaterThan(300);
  for (let size = -1; size !== arrows.size; ) {
    size = arrows.size;
    for (const [file, needed] of arrows) if (needed.every((one) => !arrows.has(one))) arrows.delete(file);
  }
  expect([...arrows.keys()]).toEqual([]);
});

test('every planted violation is caught by its rule', async () => {
  judgement ??= judge();
  const { caught } = await judgement;
  expect(caught).toEqual(expect.arrayContaining(VIOLATIONS.map(([rule, file]) => `${rule}: src/${file}`)));
}, 120_000);
