import { expect, test } from 'vitest';
import { goalWords } from '#core/casting/goal-words.js';
import { pickByWords, rankByWords } from '#core/casting/ranking.js';
import { wordsOf } from '#kernel/words.js';
import { verifies } from '../../verifies.js';
import { smallCatalog } from './small-catalog.js';

const catalog = smallCatalog();
const scoreOf = (goal: string, id: string) => rankByWords(catalog, goal).find((row) => row.archetype.id === id)?.score;
const idsOf = (goal: string, size?: number) => pickByWords(catalog, goal, size).picks.map((pick) => pick.archetypeId);

verifies('casting.offline.score', 'words are folded: width, case, plurals, stop words, synonyms', () => {
  expect(wordsOf('ＨＴＴＰ Libraries, guides & classes; glass, status bus')).toEqual([
    'http',
    'library',
    'guide',
    'class',
    'glass',
    'status',
    'bus',
  ]);
  expect(goalWords('The INTERFACES and our interface', catalog.lexicon)).toEqual(['interface', 'api']);
});

verifies(
  'casting.offline.score',
  'a word counts its best field, shared among those who hold it, more in the best domain',
  () => {
    // "api": keyword 4 of core-implementer, capability 3 of docs-writer; two archetypes hold it.
    expect(scoreOf('api', 'core-implementer')).toBe(2.5); // 4 / 2 × 1.25, its domain is the best one
    expect(scoreOf('api', 'docs-writer')).toBe(1.5);
    expect(scoreOf('http', 'core-implementer')).toBe(2.5);
    // "architect" stands in id and title: 5, counted once.
    expect(scoreOf('architect architect', 'lead-architect')).toBe(6.25);
    expect(scoreOf('unheard', 'writer')).toBe(0);
  },
);

verifies('casting.offline.score', 'ties stand in the order of the menu and scores have three decimals', () => {
  const ranked = rankByWords(catalog, 'review');
  const tied = ranked.filter((row) => row.score === ranked[0]?.score).map((row) => row.archetype.id);
  expect(tied).toEqual(['lead-architect', 'qa-engineer']);
  for (const { score } of rankByWords(catalog, 'code test guide text review'))
    expect(score).toBe(Number(score.toFixed(3)));
});

verifies('casting.offline.pick', 'those below a fifth of the best are left out; somebody can always review', () => {
  expect(idsOf('architect structure guide')[0]).toBe('lead-architect');
  expect(idsOf('write a text article for the writer')).toEqual(['writer', 'docs-writer', 'lead-architect']);
  expect(idsOf('article guide text', 2)).toEqual(['writer', 'lead-architect']);
  expect(idsOf('article', 1)).toEqual(['writer']);
  // "first" is a responsibility of all six: 1 / 6 is far below a fifth of what "structure" is worth.
  expect(idsOf('structure first')).toEqual(['lead-architect']);
  for (const size of [1, 2, 3, 4, 5, 6])
    expect(idsOf('code test guide text review structure', size).length).toBeLessThanOrEqual(size);
});

verifies('casting.offline.pick', 'a goal without a known word gets the general team and a warning', () => {
  const { picks, warnings } = pickByWords(catalog, 'zzz');
  expect(picks.map((pick) => pick.archetypeId)).toEqual(['lead-architect', 'core-implementer', 'quality-reviewer']);
  expect(warnings.map((warning) => warning.code)).toEqual(['offline_ranking', 'no_match']);
});

verifies('casting.offline.reason', 'a justification names the matched words and where they stand', () => {
  const picked = pickByWords(catalog, 'a guide for our http api').picks.find(
    (pick) => pick.archetypeId === 'docs-writer',
  );
  expect(picked?.reason).toBe('"guide" (keyword), "api" (capability)');
});

test('the same goal gives the same team', () => {
  expect(pickByWords(catalog, 'test the api')).toEqual(pickByWords(smallCatalog(), 'test the api'));
});
