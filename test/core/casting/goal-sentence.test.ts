import path from 'node:path';
import { expect, test } from 'vitest';
import { groupingsFor } from '#core/casting/grouping-choice.js';
import { pickByWords } from '#core/casting/ranking.js';
import { readGoal } from '#core/casting/work-kinds.js';
import type { Catalog, GoalExample, WorkKind } from '#core/catalog/catalog.js';
import { randomFrom } from '#kernel/random.js';
import { smallCatalog } from './small-catalog.js';

const kind = (id: string, more: Partial<WorkKind>): WorkKind => ({
  ...{ id, title: id, verbs: [], making: [], signs: [], things: [], beside: ['software'], extra_to: [] },
  ...{ team: ['core-implementer'], ...more },
});
const KINDS = [
  kind('code', {
    ...{ verbs: ['script', 'sort'], making: ['build', 'make', 'add', 'write'] },
    things: ['app', 'library', 'tool', 'server', 'script', 'landing page', 'page', 'integration'],
    team: ['core-implementer', 'lead-architect'],
  }),
  kind('tests', {
    verbs: ['test'],
    making: ['add', 'write'],
    things: ['test'],
    extra_to: ['software'],
    team: ['qa-engineer', 'quality-reviewer'],
  }),
  kind('docs', {
    ...{ verbs: ['document', 'describe'], making: ['write', 'add'], things: ['doc', 'guide', 'blog post'] },
    ...{ extra_to: ['software'], beside: ['content', 'software'], team: ['docs-writer', 'writer'] },
  }),
  kind('bugs', {
    verbs: ['fix'],
    signs: ['crash', 'freeze', 'wrong'],
    things: ['bug'],
    team: ['qa-engineer', 'core-implementer'],
  }),
  kind('prose', {
    verbs: ['translate'],
    making: ['write'],
    things: ['article', 'text'],
    beside: ['content'],
    team: ['writer'],
  }),
];
const EXAMPLES: readonly GoalExample[] = [
  { goal: 'Build an app that sends mail', kinds: ['code'] },
  { goal: 'Make the server return 500 pages', kinds: ['code'] },
  { goal: 'Add tests for the server', kinds: ['tests'] },
  { goal: 'Write a guide about the app', kinds: ['docs'] },
  { goal: 'The page freezes when I click it', kinds: ['bugs'] },
  { goal: 'It crashes at the start with 404', kinds: ['bugs'] },
  { goal: 'An article about ships', kinds: ['prose'] },
  { goal: 'Bring the parcels to the harbour', kinds: ['prose', 'docs'] },
];
const catalog: Catalog = {
  ...smallCatalog(),
  groupings: new Map(
    Object.entries({
      text: ['writer'],
      docs: ['docs-writer', 'writer'],
      tests: ['qa-engineer'],
      code: ['core-implementer', 'lead-architect'],
    }).map(([id, archetypes]) => [id, { id, title: id, description: id, archetypes }]),
  ),
  workKinds: KINDS,
  goalExamples: EXAMPLES,
  lexicon: {
    stop_words: ['a', 'an', 'the', 'our', 'for', 'it', 'and', 'to', 'is', 'of', 'with', 'that', 'i', 'do', 'not'],
    synonyms: { http: ['api'] },
    languages: { german: { bibliothek: 'library', fehler: 'bug', schreibe: 'write', über: 'about' } },
  },
};

const GOALS = [
  'build an app',
  'Build a library with tests and docs',
  'a library with tests, docs and a guide for the server',
  'build a tool that sorts photos',
  'build a tool that sorts photos, and document it',
  'build a tool that sorts photos and tests them',
  'a tool which is plus tests',
  'a tool that works, with tests',
  'document our server',
  'write about the server',
  'write a blog post about our library',
  'a script that crashes',
  'script the backup',
  'an integration test',
  'a landing page',
  'test the landing page and fix the bug',
  'please also just document it',
  'the page freezes when I make an app',
  'the wrong article freezes the app',
  "don't add a server, only tests",
  'do not build an app or a tool but docs',
  'no tests, just an app',
  'an app without a server nor a page',
  'never fix bugs',
  'a tested library',
  'everything is documented',
  'to test',
  'we want to fix bugs and then to write docs',
  'make it',
  'write',
  'build app, tool, server; test the page. Fix it',
  'add docs to the app: fix bugs',
  'a tool for v1.0 of asp.net',
  'Schreibe eine Bibliothek',
  'die Bibliotheken, Fehlers',
  'eine ganz andere Sprache spricht Bibliothek',
  'a libraray for the servre',
  'documnet the libary',
  'http crashes',
  'bring the returns to the harbour',
  'parcels harbour',
  'returns 500',
  'an article, a guide and an app',
  'translate an article about tests',
  'describe and translate the app',
  'ships',
  '',
  'zzz',
];

const amount = (value: number) => value.toFixed(3);

/** What is made of each goal, on lines of its own. */
const toldOf = (goals: readonly string[]) =>
  goals.flatMap((goal) => {
    const { kinds, leaning } = readGoal(catalog, goal);
    const team = (size: number) =>
      pickByWords(catalog, goal, size)
        .picks.map(({ archetypeId }) => archetypeId)
        .join(' ');
    return [
      `# ${goal}`,
      ...kinds.map(
        ({ kind: one, score, isGoal, isExtra, words }) =>
          `  ${one.id} ${amount(score)}${isGoal ? ' goal' : ''}${isExtra ? ' extra' : ''}: ${words.join(', ')}`,
      ),
      `  leaning: ${[...leaning].map(([one, odds]) => `${one.id} ${amount(odds)}`).join(', ')}`,
      ...pickByWords(catalog, goal).picks.map(({ archetypeId, reason }) => `  ${archetypeId}: ${reason}`),
      `  of two: ${team(2)}; of one: ${team(1)}; nearest: ${groupingsFor(catalog, goal).map(({ id }) => id)}`,
    ];
  });

test('what the words of a goal ask for, touch, and do not want', async () => {
  const told = toldOf(GOALS);
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden/goals.txt'));
});

test('the reason of a pick for a kind of work names capabilities, and no weaker match', () => {
  const reasonOf = (goal: string) =>
    pickByWords(catalog, goal).picks.find(({ archetypeId }) => archetypeId === 'docs-writer')?.reason;
  expect(reasonOf('document our http server')).toBe('"api" (capability)');
  expect(reasonOf('document our first server')).toBe('"document" (docs)');
});

test('the same of goals that are put together of two', async () => {
  const next = randomFrom(17);
  const one = () => GOALS[Math.floor(next() * GOALS.length)] ?? '';
  const joints = [' and ', ', then ', ' without ', '. Do not ', ' with ', ', but no ', ' so that we can ', '; also '];
  const goals = Array.from({ length: 48 }, (_, at) => `${one()}${joints[at % joints.length]}${one()}`);
  await expect(`${toldOf(goals).join('\n')}\n`).toMatchFileSnapshot(
    path.join(import.meta.dirname, 'golden/goals-of-two.txt'),
  );
});

/** Words that say something, and those that join them: put together at random they take every turn a sentence can take. */
const THINGS = [
  'app',
  'server',
  'landing page',
  'tests',
  'docs',
  'a guide',
  'the article',
  'bugs',
  'script',
  'freezes',
];
const VERBS = ['build', 'write', 'test', 'document', 'fix', 'translate', 'sorts', 'tested', 'adds', 'described'];
const JOINTS = ['and', 'or', ',', 'with', 'about', 'that', 'no', 'but', 'for', 'to', 'plus', 'only', 'the', 'parcels'];

test('sentences of any words: which kinds of work they ask for, and in what words', async () => {
  const next = randomFrom(5);
  const one = (words: readonly string[]) => words[Math.floor(next() * words.length)] ?? '';
  const goals = Array.from({ length: 160 }, (_, at) =>
    [one(VERBS), ...Array.from({ length: 2 + (at % 3) }, () => [one(THINGS), one(JOINTS), one(VERBS)]), one(THINGS)]
      .flat()
      .filter((_word, place) => (place + at) % 5 !== 4)
      .join(' '),
  );
  const told = goals.map((goal) => {
    const kinds = readGoal(catalog, goal).kinds.map(
      ({ kind: { id }, score, isGoal, isExtra, words }) =>
        `${id} ${score}${isGoal ? ' goal' : ''}${isExtra ? ' extra' : ''} (${words.join(', ')})`,
    );
    return `${goal}\n  ${kinds.join('; ') || '-'}`;
  });
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden/goals-of-words.txt'));
});
