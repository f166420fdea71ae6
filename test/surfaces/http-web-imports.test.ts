import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const WEB = path.resolve(import.meta.dirname, '../../web');

/** All that browser code may take from `src`: the contract as types, and leaves that need nothing but the language. */
const TYPES_ONLY = ['#surfaces/http/contract.js'];
const PURE_LEAVES = [
  '#core/graph/status-look.js',
  '#core/insight/alike.js',
  '#core/insight/layout.js',
  '#core/insight/spend-names.js',
  '#core/insight/task-properties.js',
  '#core/teams/team-task-word.js',
  '#kernel/duration.js',
  '#kernel/text.js',
];

test('the browser code imports of src only the contract (as types) and a few pure leaves', () => {
  const seen: string[] = [];
  for (const name of readdirSync(WEB, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(name)) continue;
    const source = readFileSync(path.join(WEB, name), 'utf8');
    for (const [, kind, target] of source.matchAll(/(import type |import |export )[^;]*?from '([^']+)'/g)) {
      if (target === undefined || (!target.startsWith('#') && !target.includes('/src/'))) continue;
      seen.push(target);
      if (TYPES_ONLY.includes(target)) expect(kind, `${name} takes ${target} as a type`).toBe('import type ');
      else expect(PURE_LEAVES, `${name} imports ${target}`).toContain(target);
    }
  }
  expect(new Set(seen)).toEqual(new Set([...TYPES_ONLY, ...PURE_LEAVES]));
});
