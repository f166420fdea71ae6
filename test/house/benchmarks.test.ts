import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { filesBelow } from './files.js';

const HOME = path.resolve(import.meta.dirname, '../..');

test('the modules of the source that benchmarks load by name are there', () => {
  const scripts = filesBelow(path.join(HOME, 'bench'), /\.mjs$/);
  const named = scripts.flatMap((script) =>
    [...readFileSync(script, 'utf8').matchAll(/'(src\/[\w/.-]+\.ts)'/g)].map(([, file = '']) => file),
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((file) => !existsSync(path.join(HOME, file)))).toEqual([]);
});
