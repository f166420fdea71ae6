import { expect } from 'vitest';
import { findEntry } from '#surfaces/cli/entries.js';
import { verifies } from '../verifies.js';

const named = async (...words: string[]) => {
  const found = await findEntry(words);
  return found && [found.entry.command, found.rest];
};

verifies('who.evolve', '`evolve` alone, or with flags, is `evolve run`; any other word after it is not', async () => {
  expect(await named('evolve')).toEqual(['evolve run', []]);
  expect(await named('evolve', '--dry-run')).toEqual(['evolve run', ['--dry-run']]);
  expect(await named('evolve', 'apply', 'x')).toEqual(['evolve apply', ['x']]);
  for (const words of [
    ['evolve', '--help'],
    ['evolve', 'rum'],
  ])
    expect(await named(...words)).toBeUndefined();
});
