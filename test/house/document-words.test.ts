import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { SHOWN_STATES, type ShownState, STATUS_LOOK, wordOf } from '#core/graph/status-look.js';
import { STATUSES } from '#core/graph/task.js';
import { verifies } from '../verifies.js';
import { DOCUMENTS, hitsIn, paragraphsOf } from './prose.js';

const HOME = path.resolve(import.meta.dirname, '../..');
const texts = DOCUMENTS.flatMap(paragraphsOf);

/** Phrases that once stood in these documents and had to be read twice, each with what to write instead. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\bwhoever\b/i, 'who it is: the holder, the caller, a person'],
  [/\b(told|says) of\b/i, 'told about, says about'],
  [/\bstands? (there|here|in|beside|on|under|at|as)\b/i, 'is'],
  [/\b(ends?|ended) (well|badly)\b/i, 'succeeds, fails'],
  [/\b(is|are|was|were) over\b/i, 'has ended'],
  [/\bgo(es|ing|ne)? round\b/i, 'repeats'],
  [/\bgoes on\b/i, 'continues'],
  [/\ba hand (wrote|changed)\b/i, 'a hand edit'],
  [/\bput(s|ting)? right\b/i, 'fixes'],
  [/\banew\b/i, 'again'],
  [/\bonce more\b/i, 'again'],
  [/\bset aside\b/i, 'reserved; a file is moved aside'],
  [/\b(is|are) no (child|sandbox|client|reason|secret|verdict)\b/i, 'is not a'],
  [/\b(is|are|was|were|be) said\b/i, 'is reported'],
  [/\bmade up for by\b/i, 'completed by'],
  [/\bthrow-away\b/i, 'temporary'],
  [/\b(can|could)(not)? (not )?be had\b/i, 'be loaded, be found'],
  [/\bat the first go\b/i, 'at the first attempt'],
  [/\basks? back\b/i, 'has a question'],
  [/\bhand(s|ed)? on\b/i, 'hands over'],
  [/\btakes? (its|their) place\b/i, 'replaces'],
  [/\bwhat (came|comes) of\b/i, 'the result of'],
  [/\blooked (into|at)\b/i, 'examined, checked'],
  [/\bcounts? for nothing\b/i, 'has no effect'],
  [/\blies? (in|below|beside|within)\b/i, 'is'],
  [/\bmost days\b/i, 'everyday'],
  [/\bone( \w+)? a (line|task|commit|tick)\b/i, 'one per line'],
  [/\b(given|gives?|gave) (it |them |\w+ tasks )?back\b/i, 'released'],
];

/** Other words for a state. */
const OTHER_WORDS: readonly (readonly [ShownState, RegExp])[] = [
  ['abandoned', /\b(is|are|was|were|been) given up\b/i],
  ['in-progress', /\bat work\b|\bunder way\b/i],
  ['pending-validation', /\b(needs a review|waits? for a review|for a verdict|awaits? (a )?review|in review)\b/i],
  ['waiting', /\bparked\b/i],
];

/** The field's terms that the specification names. */
const FIELD = ['depends on', 'succeeded', 'failed', 'queued', 'attempt', 'slot', 'reserved', 'one-time link', 'PATH'];

verifies('ui.words', 'documents say what the field says', () => {
  expect(texts.length).toBeGreaterThan(800);
  const wrong = PHRASES.flatMap(([pattern, term]) => hitsIn(texts, pattern).map((hit) => `${hit}: write “${term}”`));
  expect(wrong).toEqual([]);
  const glossary = paragraphsOf('docs/glossary.md');
  expect(FIELD.filter((term) => hitsIn(glossary, new RegExp(`\\b${term}\\b`, 'i')).length === 0)).toEqual([]);
});

verifies('ui.words', 'documents have one word for each state, the one that every surface shows', () => {
  const wrong = OTHER_WORDS.flatMap(([state, pattern]) =>
    hitsIn(texts, pattern).map((hit) => `${hit}: write “${STATUS_LOOK[state].word}”`),
  );
  expect(wrong).toEqual([]);
  const guide = readFileSync(path.join(HOME, 'docs/guide/tasks.md'), 'utf8');
  const [, table = ''] = /\n## Statuses\n\n((?:\|[^\n]*\n)+)/.exec(guide) ?? [];
  expect(STATUSES.filter((status) => !new RegExp(`^\\|[^|]*\\b${status}\\b`, 'm').test(table))).toEqual([]);
  const shown = SHOWN_STATES.flatMap((state) => [wordOf(state, true, undefined), wordOf(state, false, undefined)]);
  expect(shown.filter((word) => !table.includes(word))).toEqual([]);
});
