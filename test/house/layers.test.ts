import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { expect, test } from 'vitest';
import { room } from '../room.js';

const HOME = path.resolve(import.meta.dirname, '../..');
const MODULES_LEAST = 150;

/** Imports that must be refused, each with the rule that refuses it. */
const VIOLATIONS: readonly [rule: string, file: string, text: string][] = [
  ['core-is-pure', 'core/graph/planted.ts', "import 'node:fs';"],
  ['core-is-pure', 'kernel/planted.ts', "import 'picocolors';"],
  ['core-may-import', 'core/casting/planted.ts', "import '#adapters/git/local-git.js';"],
  ['core/graph-may-import', 'core/graph/planted.ts', "import '#core/review/finding.js';"],
  ['private-by-depth', 'core/coordinator/planted.ts', "import '#core/graph/lib/checks.js';"],
  ['adapters-do-not-meet', 'adapters/git/planted.ts', "import '#adapters/processes/process-table.js';"],
  ['surfaces-may-import', 'surfaces/cli/planted.ts', "import '#adapters/git/local-git.js';"],
  ['operations-may-import', 'operations/graph/planted.ts', "import '#surfaces/cli/screen.js';"],
  ['core-may-import', 'core/review/planted.ts', "import type { Git } from '#ports/git.js'; export type Planted = Git;"],
  ['core-may-import', 'core/review/planted.ts', "export const late = () => import('#adapters/git/local-git.js');"],
  ['one-strict-reader', 'adapters/git/planted.ts', "import 'yaml';"],
  ['no-orphans', 'adapters/planted/alone.ts', 'export const alone = 1;'],
];

async function judge(folder: string): Promise<{ modules: number; rules: string[]; said: string[] }> {
  const { default: config } = await import(path.join(HOME, '.dependency-cruiser.mjs'));
  const { tsConfig: _tsConfig, ...options } = config.options;
  const result = await cruise(
    ['src'],
    {
      ...options,
      baseDir: folder,
      validate: true,
      ruleSet: { forbidden: config.forbidden },
      tsConfig: { fileName: path.join(folder, 'tsconfig.json') },
      outputType: 'json',
    },
    undefined,
    { tsConfig: extractTSConfig(path.join(folder, 'tsconfig.json')) },
  );
  const { summary } = JSON.parse(String(result.output)) as {
    summary: { totalCruised: number; violations: { rule: { name: string }; from: string; to: string }[] };
  };
  return {
    modules: summary.totalCruised,
    rules: summary.violations.map((violation) => violation.rule.name),
    said: summary.violations.map((violation) => `${violation.rule.name}: ${violation.from} → ${violation.to}`),
  };
}

test('the house keeps its own table of layers, and the table was really looked at', async () => {
  const { modules, said } = await judge(HOME);
  expect(said).toEqual([]);
  expect(modules).toBeGreaterThan(MODULES_LEAST);
}, 60_000);

test('every planted violation is caught by its rule', async () => {
  const copy = room('house');
  for (const name of ['src', 'package.json', 'tsconfig.json'])
    cpSync(path.join(HOME, name), path.join(copy, name), { recursive: true });
  symlinkSync(path.join(HOME, 'node_modules'), path.join(copy, 'node_modules'));
  for (const [rule, file, text] of VIOLATIONS) {
    const planted = path.join(copy, 'src', file);
    mkdirSync(path.dirname(planted), { recursive: true });
    writeFileSync(planted, `${text}\nexport const planted = 1;\n`);
    const { rules } = await judge(copy);
    rmSync(planted);
    expect(rules, `${file}: ${text}`).toContain(rule);
  }
}, 300_000);
