import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { DEFERRED, REQUIREMENTS } from '../requirements.js';
import { filesBelow } from './files.js';

const TESTS = path.resolve(import.meta.dirname, '..');
const IDS_LEAST = 600;

/** The ids that tests cite, read from their source: a literal string or a literal list as first argument. */
function citedIds(): Map<string, string> {
  const cited = new Map<string, string>();
  for (const file of filesBelow(TESTS, /\.ts$/)) {
    const text = readFileSync(file, 'utf8');
    for (const match of text.matchAll(/\bverifies\(\s*(\[[^\]]*\]|'[^']*')/g)) {
      for (const [, id] of (match[1] ?? '').matchAll(/'([^']+)'/g)) if (id) cited.set(id, path.relative(TESTS, file));
    }
  }
  return cited;
}

const deferred = new Map(Object.entries(DEFERRED).flatMap(([reason, ids]) => ids.map((id) => [id, reason] as const)));

test('every requirement has a test, or a reason why not yet', () => {
  const cited = citedIds();
  expect(Object.keys(REQUIREMENTS).length).toBeGreaterThan(IDS_LEAST);
  expect(Object.keys(REQUIREMENTS).filter((id) => !cited.has(id) && !deferred.has(id))).toEqual([]);
});

test('every id a test cites is a requirement', () => {
  expect([...citedIds()].filter(([id]) => !(id in REQUIREMENTS)).map(([id, file]) => `${id} in ${file}`)).toEqual([]);
});

test('nothing is deferred that has a test, is unknown, or lacks a reason', () => {
  const cited = citedIds();
  expect([...deferred.keys()].filter((id) => cited.has(id))).toEqual([]);
  expect([...deferred.keys()].filter((id) => !(id in REQUIREMENTS))).toEqual([]);
  for (const reason of deferred.values()) expect(reason.length).toBeGreaterThan(20);
});
