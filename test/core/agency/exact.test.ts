import path from 'node:path';
import { expect, test } from 'vitest';
import { evolutionProposalOf, itemOf } from '#core/agency/proposal.js';
import { verdictOf } from '#core/agency/replay.js';
import { rollback, rolledBack } from '#core/agency/rollback.js';
import { addTrial, isTrialOver, trialOrder } from '#core/agency/trial.js';
import { closeReview, reviewTasks, waitingIn } from '#core/agency/waiting-proposals.js';
import { taskOf } from '#core/graph/task-of.js';
import { AGENCY_LIMITS } from '#kernel/limits/agency.js';
import { agent, role } from '../agency/people.js';
import { ann, codeOf, graphOf, NOW } from '../graph/graph.js';
import { AGENCY, BOLD, BUILDER, CAREFUL, propose, TESTER } from './stage.js';

const golden = (name: string) => path.join(import.meta.dirname, 'golden', name);
const told = (value: unknown) => `${JSON.stringify(value, (_, one) => (one === undefined ? '(none)' : one), 1)}\n`;
const pairs = (...list: readonly (readonly [parent: number, child: number])[]) =>
  list.map(([parent, child], index) => ({ task_id: `t${index}`, parent, child, kind: 'text' as const, why: '' }));
const why = { rationale: 'r' };

test('the same pairs and the same seed have the same verdict, to the last digit', () => {
  const rows = [
    pairs([0.5, 0.65], [0.5, 0.35], [0.5, 0.55]),
    pairs([0.5, 0.4], [0.6, 0.5], [0.4, 0.3]),
    pairs([0.9, 0.65], [0.1, 0.9], [0.1, 0.9], [0.5, 0.2]),
    pairs([0.1, 0.2], [0.3, 0.5], [0.6, 0.6], [0.2, 0.9]),
    pairs([0.5, 0.5]),
    pairs(...Array.from({ length: 12 }, (_, at) => [0.5, 0.45 + at / 100] as const)),
  ];
  const verdicts = rows.flatMap((row) => ['s', 'other'].map((seed) => verdictOf(row, seed)));
  const round = (value: number | null) => (value === null ? 'none' : value.toFixed(6));
  const lines = verdicts.map(({ gain, interval, reason }) => [round(gain), ...(interval ?? []).map(round), reason]);
  expect(lines.map((line) => line.join(' | '))).toMatchInlineSnapshot(`
    [
      "0.016667 | -0.150000 | 0.150000 | It may be worse: the difference is between -0.15 and 0.15.",
      "0.016667 | -0.150000 | 0.150000 | It may be worse: the difference is between -0.15 and 0.15.",
      "-0.100000 | -0.100000 | -0.100000 | It is worse by 0.10 on 3 tasks.",
      "-0.100000 | -0.100000 | -0.100000 | It is worse by 0.10 on 3 tasks.",
      "0.262500 | -0.275000 | 0.800000 | It fell by more than 0.2 on t0, t3.",
      "0.262500 | -0.275000 | 0.800000 | It fell by more than 0.2 on t0, t3.",
      "0.250000 | 0.050000 | 0.550000 | ",
      "0.250000 | 0.050000 | 0.550000 | ",
      "none | 1 tasks could be compared: 3 are needed.",
      "none | 1 tasks could be compared: 3 are needed.",
      "0.005000 | -0.015000 | 0.024167 | It may be worse: the difference is between -0.01 and 0.02.",
      "0.005000 | -0.014167 | 0.025000 | It may be worse: the difference is between -0.01 and 0.03.",
    ]
  `);
});

test('who goes first is the same in every version', () => {
  const first = (seed: string) =>
    Array.from({ length: 24 }, (_, index) =>
      trialOrder(seed, `t${index}`)
        .map(([letter]) => letter)
        .join(''),
    ).join(' ');
  expect([first('a'), first('b')]).toMatchInlineSnapshot(`
    [
      "cp pc pc cp pc pc pc pc cp pc pc pc cp pc pc pc cp cp cp cp cp cp cp cp",
      "cp cp pc cp pc pc pc cp cp cp cp pc cp cp pc cp cp cp cp pc cp pc pc pc",
    ]
  `);
});

test('a trial as it stands in the graph, with the tasks before it that are over', async () => {
  const view = graphOf(
    { id: 'before', status: 'done' },
    { id: 'open' },
    {
      id: 'built',
      status: 'done',
      title: 'Build it',
      verify: 'It builds.',
      after: ['before', 'open', 'gone'],
      tags: ['x'],
    },
    { id: 'bare', status: 'done', title: 'Bare' },
  );
  const wish = {
    base: 'a'.repeat(40),
    identity: { role: BUILDER, tradeoff: BOLD },
    name: 'first',
    now: NOW,
    actor: 'ann',
  };
  const plans = [
    addTrial(view, taskOf(view, 'built'), wish),
    addTrial(view, taskOf(view, 'bare'), {
      ...wish,
      name: 'second',
      identity: { role: undefined, tradeoff: undefined },
    }),
  ];
  await expect(told(plans)).toMatchFileSnapshot(golden('trials.txt'));
  const over = ['open', 'in-progress', 'done', 'failed', 'waiting', 'pending-validation'] as const;
  expect(over.map((status) => isTrialOver({ ...taskOf(view, 'bare'), status }))).toEqual([
    ...[false, false, true, true, true, true],
  ]);
});

test('what becomes of each operation that is proposed, in all its parts', async () => {
  const scoped = role('Scoped', { default_context_scope: 'clean', default_exec_mode: 'light' } as never);
  const agency = AGENCY.with([
    scoped,
    { ...role('Held'), held: 'run-1' },
    { ...role('New here'), pending: true } as never,
  ]);
  const made = propose(
    [
      { op: 'modify_role', target_id: scoped.id, description: 'Sharper.', name: 'Sharp', ...why },
      { op: 'modify_role', target_id: 'Sharp', description: 'Sharper yet.', ...why },
      { op: 'modify_tradeoff', target_id: CAREFUL.id, acceptable_tradeoffs: [], ...why },
      { op: 'modify_tradeoff', target_id: BOLD.id, description: 'Doubtful.', ...why },
      { op: 'create_role', description: 'No name.', desired_outcome: 'None.', ...why },
      { op: 'create_role', name: 'Empty', desired_outcome: 'None.', ...why },
      { op: 'create_tradeoff', name: 'Third', description: 'Weighs.', ...why },
      { op: 'retire_role', target_id: TESTER.id, ...why },
      { op: 'retire_role', ...why },
      { op: 'modify_role', description: 'Of nobody.', ...why },
      { op: 'modify_role', target_id: 'Held', description: 'x', ...why },
      { op: 'modify_role', target_id: 'New here', description: 'x', ...why },
      { op: 'modify_role', target_id: 'nobody', description: 'x', ...why },
      { op: 'modify_role', target_id: BUILDER.id, description: 'Builds.', ...why },
      { op: 'create_role', name: 'Late', description: 'D', desired_outcome: 'O', ...why },
      'words',
      { op: 'eat', ...why },
    ],
    {
      budget: 5,
      own: new Set([BUILDER.id]),
      doubt: (child) => (child.description === 'Doubtful.' ? 'May be worse.' : ''),
    },
    agency,
  );
  const { outcomes, entities } = made;
  const brief = entities.map(({ kind, name, held, retired, lineage }) => ({ kind, name, held, retired, lineage }));
  await expect(told({ outcomes, brief, whole: entities[0] })).toMatchFileSnapshot(golden('outcomes.txt'));
});

test('the parts of a proposal that say nothing are not there', () => {
  const nothing = { name: null, description: null, skills: null, desired_outcome: null, acceptable_tradeoffs: null };
  expect(itemOf({ op: 'modify_role', target_id: ' a,, b ', ...nothing, unacceptable_tradeoffs: null, ...why })).toEqual(
    {
      raw: expect.anything(),
      operation: { op: 'modify_role', targets: ['a', 'b'], rationale: 'r' },
    },
  );
  for (const raw of ['words', 7, null, []]) expect(itemOf(raw)).toEqual({ raw, problem: 'It is not an operation.' });
  const operations = Array.from({ length: AGENCY_LIMITS.evolutionOperations }, () => 7);
  expect(evolutionProposalOf({ operations })?.items).toHaveLength(operations.length);
  expect(evolutionProposalOf({ operations: [...operations, 7] })).toBeUndefined();
});

test('taking a run back: what it made goes, what it retired comes, and what is made of it is told', () => {
  const { agency, outcomes } = propose([
    { op: 'modify_role', target_id: BUILDER.id, description: 'Sharper.', ...why },
    { op: 'retire_role', target_id: TESTER.id, ...why },
    { op: 'create_tradeoff', name: 'Third', description: 'Weighs.', ...why },
  ]);
  const of = (index: number) => outcomes[index]?.made[0]?.id ?? '';
  const others = [
    agent('By role', { role_id: of(0), tradeoff_id: CAREFUL.id }),
    agent('By trade-off', { role_id: TESTER.id, tradeoff_id: of(2) }),
    agent('Neither', { role_id: BUILDER.id, tradeoff_id: BOLD.id }),
  ];
  const lost = { kind: 'role' as const, id: 'f'.repeat(64), name: 'Lost' };
  const report = { id: 'run-1', operations: [...outcomes, { made: [lost], retired: [] }], rolled_back: null } as never;
  const back = rollback(agency.with(others), report);
  const names = (list: readonly { name: string }[]) => list.map(({ name }) => name);
  expect([names(back.restored), names(back.retired), names(back.entities)]).toMatchInlineSnapshot(`
    [
      [
        "Tester",
      ],
      [
        "Builder 2",
        "Bold Builder 2",
        "Third",
        "Third Builder",
      ],
      [
        "Tester",
        "Builder 2",
        "Bold Builder 2",
        "Third",
        "Third Builder",
      ],
    ]
  `);
  expect(back.warnings.map((warning) => warning.replace(/\([0-9a-f]{8}\)/, '(ID)'))).toMatchInlineSnapshot(`
    [
      "By role (ID) is made of Builder 2: it takes no more tasks.",
      "By trade-off (ID) is made of Third: it takes no more tasks.",
      "role Lost (ID) is no longer here.",
    ]
  `);
  expect(rollback(agency.with(back.entities), report)).toMatchObject({ entities: [], restored: [], retired: [] });
  const done = rolledBack(report, 'ann', '2026-03-01');
  expect(done).toEqual({ ...(report as object), rolled_back: { by: 'ann', at: '2026-03-01' } });
  expect(codeOf(() => rolledBack(done, 'ann', 'later'))).toBe('bad_input');
});

test('the task that asks a person, and how it ends', async () => {
  const outcome = {
    ...{ index: 1, status: 'held' as const, raw: { op: 'x' }, reason: 'why', rationale: 'r', target_ids: ['a'] },
    ...{ made: [], retired: [] },
  };
  const waiting = waitingIn('run-1', [outcome], NOW, true);
  const graph = graphOf();
  await expect(told(reviewTasks(graph, waiting, { now: NOW, by: ann }))).toMatchFileSnapshot(golden('review.txt'));
  const [one] = waiting;
  if (one === undefined) throw new Error('nothing waits');
  const ends = (['open', 'in-progress', 'pending-validation'] as const).map((status) => {
    const id = one.task_id ?? '';
    const view = graphOf({ id, status, verify: 'look', ...(status === 'open' ? {} : { assigned: 'bo', fence: 1 }) });
    return [true, false].map((approved) =>
      closeReview(view, one, approved, { now: NOW, by: ann })
        .map(({ op, actor }) => `${op} by ${actor}`)
        .join(', '),
    );
  });
  expect(ends).toMatchInlineSnapshot(`
    [
      [
        "submit by ann, approve by coordinator",
        "abandon by ann",
      ],
      [
        "submit by ann, approve by coordinator",
        "abandon by ann",
      ],
      [
        "approve by coordinator",
        "abandon by ann",
      ],
    ]
  `);
});
