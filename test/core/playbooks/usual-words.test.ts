import { expect, test } from 'vitest';
import { type ChainStage, chainStages } from '#core/playbooks/chain.js';
import { categoryOf, insertBeforeDeployer } from '#core/playbooks/crew.js';
import { type FormationKind, runFolder } from '#core/playbooks/formation.js';
import { defaultPanel } from '#core/playbooks/panel.js';
import { type FormationRecord, recordEvent } from '#core/playbooks/record.js';
import { defaultSweep } from '#core/playbooks/sweep.js';
import { partitionOf, USUAL_SCHEMA } from '#core/playbooks/sweep-schema.js';
import { NO_ROLES } from '#core/roles/lane.js';
import { TroupeError } from '#kernel/errors.js';
import { commit, graphOf } from '../graph/graph.js';
import { recordOf as record } from './records.js';

/** What is thrown, in words; the answer where nothing is. */
function said<Answer>(work: () => Answer): Answer | string {
  try {
    return work();
  } catch (error) {
    if (error instanceof TroupeError) return `${error.code}: ${error.message}`;
    throw error;
  }
}

test('a word of a goal says what kind of work it is, the first kind before the others', () => {
  const words = {
    bugfix: 'bug fix crash broken regression defect',
    refactor: 'refactor clean rename restructure simplify extract',
    'schema-change': 'schema migration migrate column table',
    perf: 'perf performance slow faster latency speed memory',
    release: 'release publish version changelog',
    infra: 'infra infrastructure ci docker deploy pipeline kubernetes terraform',
    feature: 'dashboard colours',
  };
  for (const [category, list] of Object.entries(words))
    for (const word of list.split(' ')) expect(categoryOf(`Something ${word} here`), word).toBe(category);
  expect([categoryOf('release the fix'), categoryOf('')]).toEqual(['bugfix', 'feature']);
  const seat = (name: string, phase?: string) => ({ name, phase });
  const line = (...seats: ReturnType<typeof seat>[]) =>
    insertBeforeDeployer(seats, [seat('new')]).map(({ name }) => name);
  expect([
    line(seat('dev'), seat('deployer')),
    line(seat('dev'), seat('x', 'deployer')),
    line(seat('deployer', 'dev')),
  ]).toEqual([
    ['dev', 'new', 'deployer'],
    ['dev', 'new', 'x'],
    ['deployer', 'new'],
  ]);
});

test('who sits on a panel and where a sweep looks when nobody says it, by each word of a goal', () => {
  const panel = (goal: string) => defaultPanel(NO_ROLES, goal).map(({ name }) => name);
  const sweep = (goal: string) => defaultSweep(NO_ROLES, goal).seats.map(({ name }) => name);
  expect([panel('Nothing'), sweep('Nothing')]).toMatchInlineSnapshot(`
    [
      [
        "maintainer",
        "user-advocate",
        "operator",
        "skeptic",
      ],
      [
        "official-docs",
        "source-code",
        "issue-trackers",
        "field-reports",
        "literature",
      ],
    ]
  `);
  const seats = {
    maintainer: 'code design api refactor architecture library',
    'user-advocate': 'user interface wording workflow customer page',
    operator: 'deploy service performance migration database queue infra',
    'security-reviewer': 'security auth token secret privacy data',
    economist: 'cost price plan roadmap priority buy budget',
  };
  for (const [name, list] of Object.entries(seats))
    for (const word of list.split(' ')) expect(panel(`The ${word}`)[0], word).toBe(name);
  expect(panel('user auth cost deploy code')).toHaveLength(6);
  const slices = {
    'official-docs': 'api format protocol standard',
    'source-code': 'code implementation library function repository',
    'issue-trackers': 'bug problem failure limitation issue',
    'field-reports': 'experience practice production team',
    literature: 'research performance benchmark theory',
    alternatives: 'choose compare alternative option',
    history: 'version release migration change deprecated',
  };
  for (const [name, list] of Object.entries(slices))
    for (const word of list.split(' ')) expect(sweep(`The ${word}`)[0], word).toBe(name);
  expect(defaultSweep(NO_ROLES, 'research version choose').partition).toMatchInlineSnapshot(`
    {
      "schema": {
        "optional": [
          "quote",
          "date",
          "note",
        ],
        "required": [
          "id",
          "title",
          "source",
          "claim",
        ],
        "root": "entries",
      },
      "slices": [
        {
          "name": "literature",
          "owns": [
            "papers and books",
            "measurements",
          ],
          "question": undefined,
        },
        {
          "name": "alternatives",
          "owns": [
            "competing approaches",
            "what others chose instead",
          ],
          "question": undefined,
        },
        {
          "name": "history",
          "owns": [
            "changelogs and release notes",
            "past decisions",
          ],
          "question": undefined,
        },
        {
          "name": "official-docs",
          "owns": [
            "official documentation",
            "specifications and standards",
          ],
          "question": undefined,
        },
        {
          "name": "source-code",
          "owns": [
            "source code and tests",
            "configuration",
          ],
          "question": undefined,
        },
      ],
      "warnings": [],
    }
  `);
});

test('slices that overlap, are too many or too few, and schemas that cannot be kept', () => {
  const slice = (name: string, ...owns: string[]) => ({ name, owns }) as never;
  const many = (count: number) => Array.from({ length: count }, (_, index) => slice(`s${index}`, `o${index}`));
  const told = (slices: readonly never[], schema: object = {}) =>
    said(() => partitionOf(slices, { ...USUAL_SCHEMA, ...schema }).warnings.join());
  const fields = (count: number) => [
    'id',
    'title',
    'source',
    ...Array.from({ length: count - 3 }, (_, index) => `f${index}`),
  ];
  expect([
    ...Array.from({ length: 14 }, (_, count) => told(many(count))),
    told([slice('a', 'x'), slice('a', 'y'), ...many(4)]),
    told([slice('a', 'Some  thing'), slice('b', 'some thing'), ...many(4)]),
    told([slice('a', 'x', 'X'), ...many(4)]),
    told(many(6), { required: ['id', 'title'] }),
    told(many(6), { required: fields(8), optional: [] }),
    told(many(6), { required: fields(40), optional: [] }),
    told(many(6), { required: ['id', 'title', 'source'], optional: ['note', 'id'] }),
  ]).toMatchInlineSnapshot(`
    [
      "bad_input: A sweep has 2 to 12 slices, not 0.",
      "bad_input: A sweep has 2 to 12 slices, not 1.",
      "2 slices: 5 to 7 are usual: fewer hide gaps, more overlap.",
      "3 slices: 5 to 7 are usual: fewer hide gaps, more overlap.",
      "4 slices: 5 to 7 are usual: fewer hide gaps, more overlap.",
      "",
      "",
      "",
      "8 slices: 5 to 7 are usual: fewer hide gaps, more overlap.",
      "9 slices: 5 to 7 are usual: fewer hide gaps, more overlap.",
      "10 slices: 5 to 7 are usual: fewer hide gaps, more overlap.",
      "11 slices: 5 to 7 are usual: fewer hide gaps, more overlap.",
      "12 slices: 5 to 7 are usual: fewer hide gaps, more overlap.",
      "bad_input: A sweep has 2 to 12 slices, not 13.",
      "slices_overlap: There are two slices called a.",
      "slices_overlap: a and b both own "some thing".",
      "",
      "bad_input: The schema requires id, title and source of an entry; source is missing.",
      "bad_input: A schema requires at most 5 fields, not 8.",
      "bad_input: A schema requires at most 5 fields, not 40.",
      "bad_input: The schema names the field id twice.",
    ]
  `);
});

test('the stages of a chain are told by the goals of its runs', () => {
  const view = graphOf();
  const [one, two, three, other] = [
    '20260321-one-1f0c',
    '20260321-two-1f0c',
    '20260321-three-1f0c',
    '20260321-four-1f0c',
  ] as const;
  const after = (kind: FormationKind, run: string) => `Do it as ${runFolder(kind, run)}/X.md says`;
  const kept = (run: string, more: Partial<FormationRecord>) => {
    const kind = record({ run, ...more });
    commit(view, { events: [recordEvent(view, kind, 'formation', { actor: 'x', detail: {} })], result: undefined });
    return kind;
  };
  const stages = (of: FormationRecord) =>
    chainStages(view, of).map(({ stage, run, state }: ChainStage) => `${stage} ${run ?? '-'} ${state ?? '-'}`);
  const sweep = kept(one, { formation: 'sweep', options: { stages: 'panel,crew' }, state: 'ended' });
  const alone = kept(other, { formation: 'crew' });
  expect([stages(sweep), stages(alone)]).toEqual([[`research ${one} ended`, 'panel - -', 'crew - -'], []]);
  const panel = kept(two, { formation: 'panel', options: { stages: 'crew' }, goal: after('sweep', one) });
  const begun = [`research ${one} ended`, `panel ${two} running`, 'crew - -'];
  expect([stages(sweep), stages(panel)]).toEqual([begun, begun]);
  const crew = kept(three, { formation: 'crew', goal: after('panel', two) });
  const whole = [`research ${one} ended`, `panel ${two} running`, `crew ${three} running`];
  expect([sweep, panel, crew, alone].map(stages)).toEqual([whole, whole, whole, []]);
  // Without stages of its own a run hands nothing on, whoever names it.
  const named = kept('20260321-five-1f0c', { formation: 'crew', goal: after('crew', other) });
  expect([stages(alone), stages(named)]).toEqual([[], []]);
});
