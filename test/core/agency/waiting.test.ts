import { expect, test } from 'vitest';
import type { OperationOutcome } from '#core/agency/evolve.js';
import { closeReview, reviewTasks, waitingIn, waitingOf } from '#core/agency/waiting-proposals.js';
import { ann, commit, graphOf, NOW } from '../graph/graph.js';

const RUN = 'run-20260301-100000';
const outcome = (index: number, status: OperationOutcome['status'], more: object = {}): OperationOutcome => ({
  ...{ index, status, op: 'modify_role', raw: { op: 'modify_role' }, reason: 'its proposer' },
  ...{ rationale: 'correctness is 0.4', target_ids: ['r1', 'r2'], made: [], retired: [] },
  ...more,
});
const outcomes = [
  outcome(0, 'applied'),
  outcome(1, 'deferred'),
  outcome(2, 'rejected'),
  outcome(3, 'held', { reason: 'not shown to be better' }),
];
const options = { now: NOW, by: ann };

test('what is deferred or held waits for a person, with a task where there is a graph', () => {
  const common = {
    ...{ run: RUN, operation: { op: 'modify_role' }, rationale: 'correctness is 0.4', target_ids: ['r1', 'r2'] },
    ...{ made: [], since: '2026-03-21T10:00:00.000Z', state: 'pending', decided_by: null, decided_at: null },
  };
  const first = { id: `${RUN}-op1`, index: 1, status: 'deferred', reason: 'its proposer' };
  const second = { id: `${RUN}-op3`, index: 3, status: 'held', reason: 'not shown to be better' };
  expect(waitingIn(RUN, outcomes, NOW, true)).toEqual([
    { ...common, ...first, task_id: `evolve-review-${RUN}-op1` },
    { ...common, ...second, task_id: `evolve-review-${RUN}-op3` },
  ]);
  expect(waitingIn(RUN, outcomes, NOW, false).map(({ task_id }) => task_id)).toEqual([null, null]);
});

test('what is kept of it is read again under its own id only', () => {
  const [waiting] = waitingIn(RUN, outcomes, NOW, true);
  expect(waitingOf(`${RUN}-op1`, waiting)).toEqual(waiting);
  const held = { ...waiting, status: 'held', decided_by: 'ann', decided_at: 't', task_id: null };
  const made = (['role', 'tradeoff', 'agent'] as const).map((kind) => ({ kind, id: `${kind}-1`, name: kind }));
  for (const state of ['pending', 'approved', 'rejected'])
    expect(waitingOf(`${RUN}-op1`, { ...held, made, state })).toEqual({ ...held, made, state });
  for (const odd of [{ status: 'applied' }, { made: [{ kind: 'skill', id: 'a', name: 'a' }] }, { task_id: undefined }])
    expect(waitingOf(`${RUN}-op1`, { ...waiting, ...odd })).toBeUndefined();
  expect(waitingOf('other', waiting)).toBeUndefined();
  expect(waitingOf(`${RUN}-op1`, { ...waiting, state: 'maybe' })).toBeUndefined();
});

test('a person is asked by a task that says which command decides', () => {
  const graph = graphOf();
  const waiting = waitingIn(RUN, outcomes, NOW, true);
  commit(graph, { events: reviewTasks(graph, waiting, options), result: undefined });
  expect(graph.task(`evolve-review-${RUN}-op1`)).toMatchObject({
    ...{ title: 'Decide on a change of its proposer', status: 'open', human: true, tags: ['evolution', 'eval-gate'] },
    ...{ description: 'its proposer\n\nTargets: r1, r2\n\n{\n  "op": "modify_role"\n}', created_by: 'ann' },
    verify: `A person has run \`troupe evolve review ${RUN}-op1 --approve\` or \`troupe evolve review ${RUN}-op1 --reject\`.`,
  });
  expect(graph.task(`evolve-review-${RUN}-op3`)?.title).toBe('Decide on a change not shown to be better');
  expect(graph.task(`evolve-review-${RUN}-op1`)).not.toHaveProperty('unplaced');
  expect(reviewTasks(graph, waitingIn(RUN, outcomes, NOW, false), options)).toEqual([]);
});

test.each([
  ['open', true, 'done'],
  ['open', false, 'abandoned'],
  ['pending-validation', true, 'done'],
  ['pending-validation', false, 'abandoned'],
  ['done', false, 'done'],
] as const)('a task that is %s ends with the decision (%s): %s', (status, approved, ends) => {
  const [waiting] = waitingIn(RUN, outcomes, NOW, true);
  if (!waiting) throw new Error('nothing waits');
  const graph = graphOf({ id: waiting.task_id ?? '', status, human: true, tags: ['evolution'], verify: 'decide' });
  commit(graph, { events: closeReview(graph, waiting, approved, options), result: undefined });
  expect(graph.task(waiting.task_id ?? '')?.status).toBe(ends);
  expect(closeReview(graph, { ...waiting, task_id: null }, approved, options)).toEqual([]);
});
