import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { versionOf, versionOfAll } from '#adapters/disk/file-version.js';
import { SeenFiles } from '#adapters/disk/seen-files.js';
import { room } from '../../room.js';

/** A clock for which everything here was written long ago. */
const LATER = { now: () => Date.now() + 60_000 };

function place() {
  const root = room('seen');
  const at = (name: string) => path.join(root, name);
  mkdirSync(at('team/agents'), { recursive: true });
  writeFileSync(at('team/a.md'), 'one');
  const seen = new SeenFiles(LATER);
  for (const name of ['team/a.md', 'team/agents', 'team/none.md']) seen.see(root, at(name));
  expect(seen.isUnchanged()).toBe(true);
  return { root, at, seen };
}

test.each<[string, (at: (name: string) => string) => void]>([
  ['another text of the same length', (at) => writeFileSync(at('team/a.md'), 'two')],
  [
    'another text under the old times',
    (at) => {
      writeFileSync(at('team/a.md'), 'two');
      utimesSync(at('team/a.md'), 1, 1);
    },
  ],
  ['a file that is gone', (at) => rmSync(at('team/a.md'))],
  ['a file that was not there', (at) => writeFileSync(at('team/none.md'), '')],
  ['one more in a folder', (at) => writeFileSync(at('team/agents/b.md'), '')],
  [
    'a link in the place of a folder that leads to the same file',
    (at) => {
      renameSync(at('team'), at('elsewhere'));
      symlinkSync(at('elsewhere'), at('team'));
    },
  ],
  [
    'a link in the place of the file',
    (at) => {
      renameSync(at('team/a.md'), at('a.md'));
      symlinkSync(at('a.md'), at('team/a.md'));
    },
  ],
])('seen again: %s is a change', (_, change) => {
  const { at, seen } = place();
  change(at);
  expect(seen.isUnchanged()).toBe(false);
});

test('what was not asked for changes nothing, and what was just written may change without a trace', () => {
  const { root, at, seen } = place();
  writeFileSync(at('other.md'), 'x');
  writeFileSync(at('team/agents.md'), 'x');
  expect(seen.isUnchanged(), 'beside what was seen').toBe(true);
  const young = new SeenFiles({ now: () => Date.now() });
  young.see(root, at('team/a.md'));
  expect(young.isUnchanged()).toBe(false);
});

test('the version of a file is another one after each change, and of several with each of them', () => {
  const { at } = place();
  expect(versionOf(at('no'))).toEqual({ text: 'ENOENT', changedAt: 0 });
  const [a, b] = [at('team/a.md'), at('b.md')];
  writeFileSync(b, 'b');
  const before = [versionOf(a), versionOfAll([a, b])];
  expect(before[0]?.changedAt).toBeGreaterThan(1_000_000);
  expect(before[1]?.changedAt).toBe(versionOf(b).changedAt);
  writeFileSync(a, 'longer');
  const after = [versionOf(a), versionOfAll([a, b])];
  expect(after.map(({ text }) => text)).not.toEqual(before.map(({ text }) => text));
  expect(after[1]?.text).not.toBe(before[1]?.text);
});
