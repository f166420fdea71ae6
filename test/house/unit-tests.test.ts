import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import config from '../../vitest.config.js';
import { filesBelow } from './files.js';

const TESTS = path.resolve(import.meta.dirname, '..');
const BUILT = path.join(TESTS, 'scenarios/program.ts');
const IMPORT = /from '(\.[^']+)\.js'/g;

/** Folders of the unit suite, as its configuration names them. */
function unitFolders(): readonly string[] {
  const [unit] = config.test?.projects ?? [];
  const [include = ''] = (unit as { test: { include: string[] } }).test.include;
  return /\{(.+)\}/.exec(include)?.[1]?.split(',') ?? [];
}

/** The file and everything of the tests that it imports. */
function importsOf(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    const imported = path.resolve(path.dirname(file), `${name}.ts`);
    if (imported.startsWith(TESTS)) importsOf(imported, seen);
  }
  return seen;
}

test('unit tests run without the built program: a review runs them in a copy that has none', () => {
  const files = unitFolders().flatMap((folder) => filesBelow(path.join(TESTS, folder), /\.test\.ts$/));
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((file) => importsOf(file).has(BUILT))).toEqual([]);
});
