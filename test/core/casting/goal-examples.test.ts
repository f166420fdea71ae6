import { expect } from 'vitest';
import { ExampleIndex } from '#core/casting/goal-examples.js';
import { PhraseIndex, wordsAndCommas } from '#core/casting/goal-phrases.js';
import { readGoal } from '#core/casting/work-kinds.js';
import { assembleCatalog } from '#core/catalog/assemble.js';
import { verifies } from '../../verifies.js';
import { smallFiles } from './small-catalog.js';

const EXAMPLES = [
  'logistics | send the returns back to the warehouse',
  'logistics | returns of parcels that nobody fetched',
  'logistics | which van takes the parcels',
  'faults | the page returns 500 and nobody knows why',
  'faults | the call returns nothing on Sundays',
  'faults | the page stays white',
];
const kind = (id: string, things: readonly string[]) => ({
  ...{ id, title: id, verbs: [], making: [], signs: [], things, beside: ['software'], extra_to: [] },
  team: [id === 'faults' ? 'core-implementer' : 'writer', 'qa-engineer'],
});

function catalogWith(lines: readonly string[], things: readonly string[] = []) {
  const kinds = [kind('logistics', things), kind('faults', [])];
  return assembleCatalog({
    ...smallFiles(),
    workKinds: { name: 'work-kinds.yaml', value: { kinds } },
    goalExamples: { name: 'goal-examples.txt', value: lines },
  });
}

const goalsIn = (catalog: ReturnType<typeof catalogWith>, goal: string) =>
  readGoal(catalog, goal)
    .kinds.filter(({ isGoal }) => isGoal)
    .map(({ kind: { id }, words }) => ({ id, words }));

function examplesOf({ workKinds, goalExamples, lexicon }: ReturnType<typeof catalogWith>) {
  const phrases = new PhraseIndex(workKinds, new Set(lexicon.stop_words));
  const sentencesOf = (text: string) => [phrases.tokensOf(wordsAndCommas(text))];
  const examples = new ExampleIndex(workKinds, goalExamples, sentencesOf);
  return (goal: string) => examples.likenessOf(sentencesOf(goal)).map(({ logOdds }) => logOdds);
}

verifies('cast.words', 'what stands beside a word says which of its meanings is meant', () => {
  const likenessOf = examplesOf(catalogWith(EXAMPLES));
  const [parcel = 0, fault = 0] = likenessOf('the search returns 500 on this page');
  expect(fault).toBeGreaterThan(parcel);
  const [parcels = 0, faults = 0] = likenessOf('the returns and parcels');
  expect(parcels).toBeGreaterThan(faults);
});

verifies(
  'cast.words',
  'without a word that speaks for a kind there is no evidence for it beyond its strongest word',
  () => {
    const catalog = catalogWith([
      'logistics | the van and the parcels',
      'logistics | send the parcels',
      'faults | the page stays white',
      'faults | the and',
    ]);
    const { workKinds, goalExamples, lexicon } = catalog;
    const phrases = new PhraseIndex(workKinds, new Set(lexicon.stop_words));
    const sentencesOf = (text: string) => [phrases.tokensOf(wordsAndCommas(text))];
    const index = new ExampleIndex(workKinds, goalExamples, sentencesOf);
    const beyond = (goal: string) =>
      index.likenessOf(sentencesOf(goal)).map(({ withoutStrongest }) => withoutStrongest);
    expect(beyond('the and')).toEqual([Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]);
    const [parcels, page] = beyond('send the parcels');
    expect([Number.isFinite(parcels), page]).toEqual([true, Number.NEGATIVE_INFINITY]);
  },
);

verifies('cast.words', 'the words that speak for a kind are shown', () => {
  const [first] = goalsIn(catalogWith(EXAMPLES), 'the van takes the returns and parcels back');
  expect(first).toEqual({ id: 'logistics', words: ['parcels', 'van', 'takes'] });
});

verifies('cast.words', 'one word alone, words that say nothing and words of nobody are no likeness', () => {
  const catalog = catalogWith(EXAMPLES);
  for (const goal of ['parcels', 'the and', 'quarks, gluons', '']) expect(goalsIn(catalog, goal), goal).toEqual([]);
});

verifies(
  'cast.words',
  'without examples the words of the kinds decide, and where they name one, an example less like it does not',
  () => {
    expect(goalsIn(catalogWith([], ['van']), 'van with parcels')).toEqual([{ id: 'logistics', words: ['van'] }]);
    expect(goalsIn(catalogWith(EXAMPLES, ['van']), 'a van returns the parcels').map(({ id }) => id)).toEqual([
      'logistics',
    ]);
  },
);

verifies(
  'who.cast',
  'one word that examples hold is no likeness, however much it says and whatever stands beside it',
  () => {
    const lines = [
      ...EXAMPLES,
      ...['Monday', 'Tuesday', 'Friday', 'Sunday'].map((day) => `logistics | a forklift on ${day}`),
      ...['crane', 'boat', 'ferry'].map((thing) => `faults | a ${thing} on the ground`),
    ];
    for (const goal of ['a forklift', 'forklift, forklift', 'forklifts for 12', 'an old forklift, 300 of them'])
      expect(goalsIn(catalogWith(lines), goal), goal).toEqual([]);
    expect(goalsIn(catalogWith(lines), 'a forklift takes the parcels to the van').map(({ id }) => id)).toEqual([
      'logistics',
    ]);
  },
);

verifies('cast.words', 'a word counts once however often it is said, and a number as any number', () => {
  const oddsOf = examplesOf(catalogWith(EXAMPLES));
  expect(oddsOf('page, page')).toEqual(oddsOf('page'));
  expect(oddsOf('returns 404')).toEqual(oddsOf('returns 500'));
});

verifies('cast.words', 'an example that cannot be read is refused with its line', () => {
  for (const [line, message] of [
    ['logistics only a goal', /goal-examples.txt: 1: must be/],
    ['logistics |  ', /must be `kind, kind \| goal`/],
    ['logistics, moon | fetch it', /there is no kind of work “moon”/],
  ] as const)
    expect(() => catalogWith(['# a comment', line])).toThrow(message);
  expect(catalogWith(['# a comment', '', 'faults, logistics | it | is late']).goalExamples).toEqual([
    { goal: 'it | is late', kinds: ['faults', 'logistics'] },
  ]);
});
