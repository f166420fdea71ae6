import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { FolderScanner } from '#adapters/inspectors/folder-scanner.js';
import { pickByWords } from '#core/casting/ranking.js';
import { goal } from '#operations/squad/proposals.js';
import { mass } from '../../mass.js';
import { verifies } from '../../verifies.js';
import { Stage } from '../team/casting-stage.js';

/** Folders of 500 files, of which the bounds let 500 be looked at. */
const PARTS = mass(10, 100);

const quickest = async (body: () => Promise<unknown> | unknown): Promise<number> => {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    const before = performance.now();
    await body();
    best = Math.min(best, performance.now() - before);
  }
  return best;
};

verifies(
  'casting.scan.bounds',
  `a repository of ${PARTS * 500} files is looked at in two seconds, and no further than the bounds`,
  async () => {
    const { folder } = new Stage();
    for (let part = 0; part < PARTS; part++) {
      const below = path.join(folder, `part-${part}`);
      mkdirSync(below);
      for (let file = 0; file < 500; file++) writeFileSync(path.join(below, `f${file}.ts`), '');
    }
    const scanner = new FolderScanner();
    expect(await quickest(() => scanner.scan(folder))).toBeLessThan(2_000);
    expect(await scanner.scan(folder)).toMatchObject({ files: 500, truncated: true, signals: { size: 'large' } });
  },
);

verifies(
  ['casting.offline.score', 'lexicon.yaml'],
  'the shipped catalog ranks a long goal in 50 ms; its lexicon has a say',
  async () => {
    const catalog = await new Stage().catalog.load();
    const long = Array.from({ length: 330 }, (_, index) => `word${index}`)
      .join(' ')
      .slice(0, 1_900);
    expect(await quickest(() => pickByWords(catalog, `${long} document our api`))).toBeLessThan(50);
    const { stop_words: stop, synonyms } = catalog.lexicon;
    expect(stop).toContain('our');
    const [word = '', meant = []] =
      Object.entries(synonyms).find(([, others]) => pickByWords(catalog, others.join(' ')).warnings.length === 1) ?? [];
    const without = { ...catalog, lexicon: { stop_words: [], synonyms: {}, languages: {} } };
    expect(meant.length).toBeGreaterThan(0);
    expect(pickByWords(catalog, word)).not.toEqual(pickByWords(without, word));
    const stopped = { ...catalog, lexicon: { ...catalog.lexicon, stop_words: [...stop, 'documentation', 'document'] } };
    expect(pickByWords(stopped, 'documentation')).not.toEqual(pickByWords(catalog, 'documentation'));
    expect(catalog.signalRules.length).toBeGreaterThan(0);
    expect(catalog.version).not.toBe('');
  },
);

verifies(
  'casting.universe.pure',
  'same policy, history and seed: the same team, byte for byte, in any folder',
  async () => {
    const teamIn = async () => {
      const stage = new Stage();
      const wish = { goal: 'document our public HTTP interface', seed: 'zion', offline: true };
      return JSON.stringify(await stage.call(goal, wish));
    };
    expect(await teamIn()).toBe(await teamIn());
  },
);
