import { expect, test } from 'vitest';
import {
  describeSignals,
  hasSignals,
  pickBySignals,
  type RepositorySignals,
  signalIds,
} from '#core/casting/analysis.js';
import { NO_RECORDS } from '#core/casting/track-record.js';
import { CONTENTS, FRAMEWORKS, LANGUAGES, SIGNAL_IDS } from '#core/catalog/signal-vocabulary.js';
import { verifies } from '../../verifies.js';
import { smallCatalog } from './small-catalog.js';

const catalog = smallCatalog();
const nothing: RepositorySignals = {
  contents: [],
  site: false,
  languages: [],
  frameworks: [],
  tests: false,
  docs: false,
  ci: false,
  size: 'small',
};
const typescript: RepositorySignals = { ...nothing, languages: ['typescript'], frameworks: ['react'], ci: true };
const everything: RepositorySignals = {
  contents: ['code', ...(Object.keys(CONTENTS) as (keyof typeof CONTENTS)[])],
  site: true,
  languages: Object.keys(LANGUAGES) as RepositorySignals['languages'],
  frameworks: Object.keys(FRAMEWORKS) as RepositorySignals['frameworks'],
  tests: true,
  docs: true,
  ci: true,
  size: 'large',
};
const ids = (signals: RepositorySignals, options: Parameters<typeof pickBySignals>[2] = {}) =>
  pickBySignals(catalog, signals, options, NO_RECORDS).picks.map((pick) => pick.archetypeId);

verifies('casting.analyze.offline', 'rules apply in order, each archetype once, cut to the size', () => {
  const all = pickBySignals(catalog, typescript, {}, NO_RECORDS);
  expect(all.picks).toEqual([
    { archetypeId: 'lead-architect', reason: 'Somebody keeps the structure.' },
    { archetypeId: 'core-implementer', reason: 'There is TypeScript.' },
    { archetypeId: 'qa-engineer', reason: 'There are no tests.' },
    { archetypeId: 'docs-writer', reason: 'There are no docs.' },
  ]);
  expect(all.warnings).toEqual([]);
  expect(ids(typescript, { size: 2 })).toEqual(['lead-architect', 'core-implementer']);
});

verifies('cast.words', 'what most of the code is in decides who comes first, not the order of the rules', () => {
  const rule = (language: string, archetype: string) => ({
    signal: `language.${language}`,
    archetype,
    reason: `There is ${language}.`,
  });
  const withGo = {
    ...catalog,
    signalRules: [rule('go', 'writer'), ...catalog.signalRules, rule('rust', 'core-implementer')],
  };
  const team = (languages: RepositorySignals['languages']) =>
    pickBySignals(withGo, { ...nothing, languages }, { size: 2 }, NO_RECORDS).picks.map((pick) => pick.archetypeId);
  expect(team(['go', 'rust'])).toEqual(['writer', 'lead-architect']);
  expect(team(['rust', 'go'])).toEqual(['core-implementer', 'lead-architect']);
});

verifies('casting.analyze.none', 'without any signal: three for a start, and a warning', () => {
  const { picks, warnings } = pickBySignals(catalog, nothing, {}, NO_RECORDS);
  expect(picks.map((pick) => pick.archetypeId)).toEqual(['lead-architect', 'core-implementer', 'quality-reviewer']);
  expect(warnings.map((warning) => warning.code)).toEqual(['no_signals']);
  expect(hasSignals(nothing)).toBe(false);
  expect(signalIds(nothing).size).toBe(0);
});

verifies('casting.analyze', 'the summary is short and made of closed words only', () => {
  expect(describeSignals(typescript)).toBe(
    'A small repository in TypeScript with React; it has CI and lacks tests, docs.',
  );
  expect(describeSignals(everything).length).toBeLessThanOrEqual(1000);
  expect(describeSignals(everything)).toContain('it has tests, docs, CI.');
});

test('archetypes that must be there take the last places, never the place of the leader', () => {
  expect(ids(typescript, { size: 3, required: ['docs-writer'] })).toEqual([
    'lead-architect',
    'core-implementer',
    'docs-writer',
  ]);
  expect(ids(typescript, { size: 2, required: ['writer', 'docs-writer'] })).toEqual([
    'lead-architect',
    'writer',
    'docs-writer',
  ]);
  expect(ids(typescript, { size: 1, required: ['writer'] })).toEqual(['lead-architect', 'writer']);
  expect(ids(typescript, { required: ['lead-architect', 'writer', 'writer'] })).toHaveLength(5);
  expect(ids(nothing, { required: ['writer'] })).toEqual(['lead-architect', 'core-implementer', 'writer']);
});

test('a required archetype keeps the reason a rule has for it', () => {
  const { picks } = pickBySignals(catalog, typescript, { size: 2, required: ['docs-writer', 'writer'] }, NO_RECORDS);
  expect(picks.find((pick) => pick.archetypeId === 'docs-writer')?.reason).toBe('There are no docs.');
  expect(picks.find((pick) => pick.archetypeId === 'writer')?.reason).toMatch(/Owns a step/);
});

test('every signal that can be found is one a rule may name', () => {
  for (const id of [...signalIds(everything), ...signalIds(typescript)]) expect(SIGNAL_IDS.has(id)).toBe(true);
});
