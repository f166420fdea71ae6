import { expect, test } from 'vitest';
import { describeSignals, pickBySignals, type RepositorySignals, withRequired } from '#core/casting/analysis.js';
import { canReview } from '#core/casting/ranking.js';
import { byRecord, NO_RECORDS } from '#core/casting/track-record.js';
import type { Archetype } from '#core/catalog/catalog.js';
import { catalog } from './stage.js';

test('a note tells three scores or more: well, badly or neither, and only who moved that it did', () => {
  const notes = (...records: (readonly [number, number] | undefined)[]) =>
    byRecord(
      records.map((_, place) => place),
      String,
      new Map(records.flatMap((record, at) => (record ? [[String(at), { score: record[0], count: record[1] }]] : []))),
    ).map(({ item, note }) => `${item} ${note}`.trim());
  expect(notes([0.9, 3], [0.2, 4], [0.5, 3], [0.9, 2])).toEqual([
    '0 did well here: 0.90 in 3 scores',
    '2 0.50 in 3 scores here',
    '1 did badly here: 0.20 in 4 scores, so one place later',
    '3',
  ]);
  expect(notes(undefined, [0.8, 3], [0.81, 3], [0.4, 3])).toEqual([
    '0',
    '1 did well here: 0.80 in 3 scores',
    '2 did well here: 0.81 in 3 scores',
    '3 did badly here: 0.40 in 3 scores',
  ]);
});

const signals = (more: Partial<RepositorySignals>): RepositorySignals => ({
  ...{ contents: [], languages: [], frameworks: [], tests: false, docs: false, ci: false, site: false, size: 'small' },
  ...more,
});

test('whom the rules of a catalog pick for text, a site and code, in turn', () => {
  const rules = [
    ['content.code', 'lead-architect'],
    ['language.go', 'core-implementer'],
    ['language.typescript', 'writer'],
    ['tests.absent', 'qa-engineer'],
    ['content.text', 'docs-writer'],
    ['site', 'writer'],
    ['content.notebooks', 'quality-reviewer'],
  ].map(([signal = '', archetype = '']) => ({ signal, archetype, reason: `${signal}.` }));
  const picks = (more: Partial<RepositorySignals>) =>
    pickBySignals({ ...catalog, signalRules: rules }, signals(more), { size: 9 }, NO_RECORDS).picks.map(
      ({ reason }) => reason,
    );
  expect({
    code: picks({ contents: ['code'], languages: ['typescript', 'go'] }),
    'one language': picks({ contents: ['code'], languages: ['go'], tests: true }),
    text: picks({ contents: ['text'] }),
    'a site': picks({ contents: ['text'], site: true }),
    'a site of code': picks({ contents: ['code'], site: true, tests: true }),
    'text, then code': picks({ contents: ['text', 'code'], site: true }),
    notebooks: picks({ contents: ['notebooks'], site: true }),
    'only signs': picks({ ci: true }),
    nothing: picks({}),
  }).toMatchInlineSnapshot(`
    {
      "a site": [
        "content.text.",
        "site.",
      ],
      "a site of code": [
        "content.code.",
      ],
      "code": [
        "content.code.",
        "language.typescript.",
        "language.go.",
        "tests.absent.",
      ],
      "notebooks": [
        "content.notebooks.",
      ],
      "nothing": [
        "General starting team.",
        "General starting team.",
        "General starting team.",
      ],
      "one language": [
        "content.code.",
        "language.go.",
      ],
      "only signs": [
        "content.code.",
        "tests.absent.",
      ],
      "text": [
        "content.text.",
      ],
      "text, then code": [
        "content.text.",
        "content.code.",
        "site.",
        "tests.absent.",
      ],
    }
  `);
  expect(
    [signals({}), signals({ docs: true }), signals({ contents: ['text', 'code'], languages: ['go'], tests: true })].map(
      describeSignals,
    ),
  ).toMatchInlineSnapshot(`
    [
      "The scan found no signals.",
      "A small repository; it has docs and lacks tests, CI.",
      "A small repository of code, text for readers in Go; it has tests and lacks docs, CI.",
    ]
  `);
});

test('who has to be on a team takes the last places, but not of the leader nor of others who have to', () => {
  const ranked = ['writer', 'lead-architect', 'qa-engineer'].map((archetypeId) => ({ archetypeId, reason: 'r' }));
  const ids = (required: readonly string[], size: number) =>
    withRequired(catalog, ranked, required, size).map(({ archetypeId, reason }) =>
      reason === 'r' ? archetypeId : `+${archetypeId}`,
    );
  expect([
    ids([], 2),
    ids(['qa-engineer'], 2),
    ids(['docs-writer'], 2),
    ids(['docs-writer', 'qa-engineer'], 2),
    ids(['writer', 'docs-writer'], 2),
    ids(['docs-writer'], 9),
  ]).toEqual([
    ['writer', 'lead-architect'],
    ['lead-architect', 'qa-engineer'],
    ['lead-architect', '+docs-writer'],
    ['lead-architect', '+docs-writer', 'qa-engineer'],
    ['writer', 'lead-architect', '+docs-writer'],
    ['writer', 'lead-architect', 'qa-engineer', '+docs-writer'],
  ]);
  const reviews = (...capabilities: string[]) => canReview({ capabilities } as unknown as Archetype);
  expect([reviews('code-review'), reviews('Reviews text'), reviews('preview'), reviews()]).toEqual([
    ...[true, true, false, false],
  ]);
});
