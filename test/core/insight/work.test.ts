import { expect, test } from 'vitest';
import { addResource } from '#core/graph/resource.js';
import { GraphState } from '#core/graph/state.js';
import type { Task } from '#core/graph/task.js';
import { coordinate, nextUp } from '#core/insight/next.js';
import { packetOf } from '#core/insight/packet.js';
import { planWork } from '#core/insight/plan.js';
import { resourceUse } from '#core/insight/resources.js';
import { statsOf } from '#core/insight/stats.js';
import { workload } from '#core/insight/workload.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { verifies } from '../../verifies.js';
import { ann, commit, graphOf, NOW } from '../graph/graph.js';

verifies('graph.show.more', 'next: what most waits for, then what has been ready longest', () => {
  const graph = graphOf(
    { id: 'a', created_at: '2026-03-01T00:00:00Z' },
    { id: 'hub', created_at: '2026-03-02T00:00:00Z', member: 'Neo', exec: 'make' },
    { id: 'b', after: ['hub'] },
    { id: 'c', after: ['b'] },
    { id: 'draft', paused: true },
  );
  expect(nextUp(graph, undefined, NOW, {})).toEqual({
    task: { id: 'hub', title: 'hub', status: 'open', hours: null, member: 'Neo', done_by: 'command' },
    waiting_for_it: 2,
    ready: 2,
    reason: 'more depends on it than on any other ready task',
  });
  expect(nextUp(graph, 'neo', NOW, {}).task?.id).toBe('hub');
  expect(nextUp(graph, 'Trinity', NOW, {})).toEqual({
    task: null,
    waiting_for_it: 0,
    ready: 0,
    reason: 'nothing is ready',
  });
  const plain = graphOf(
    { id: 'a', created_at: '2026-03-02T00:00:00Z' },
    { id: 'z', created_at: '2026-03-01T00:00:00Z' },
  );
  expect(nextUp(plain, undefined, NOW, {})).toMatchObject({ task: { id: 'z' }, reason: 'it has been ready longest' });
});

verifies(
  'graph.show.more',
  'coordinate: what can start, what is under way, what that sets free, what needs a person',
  () => {
    const graph = graphOf(
      { id: 'free' },
      { id: 'busy', status: 'in-progress', assigned: 'ann' },
      { id: 'soon', after: ['busy', 'free'] },
      { id: 'later', after: ['soon'] },
      { id: 'draft', paused: true, after: ['busy'] },
      { id: 'judge', status: 'pending-validation' },
      { id: 'after-judge', after: ['judge'] },
    );
    const found = coordinate(graph, NOW);
    expect(found.ready.map((row) => row.id)).toEqual(['free']);
    expect(found.in_progress).toEqual([
      { id: 'busy', title: 'busy', status: 'in-progress', hours: null, assigned: 'ann', member: null },
    ]);
    expect(found.next).toMatchObject([{ id: 'soon', waits_for: ['busy', 'free'] }]);
    expect(found.needs_person.map((row) => row.id)).toEqual(['judge']);
    expect(found).toMatchObject({ ready_count: 1, in_progress_count: 1, waiting_count: 4 });
  },
);

const takes = (hours: number, cost: number) => ({ estimate: { hours, cost } });

verifies('graph.show.more', 'plan: the longest way first, within the hours and the money', () => {
  const graph = graphOf(
    { id: 'a', ...takes(2, 10) },
    { id: 'b', after: ['a'], ...takes(3, 0.1) },
    { id: 'c', ...takes(4, 20) },
    { id: 'd', after: ['c'], ...takes(0, 0) },
    { id: 'free' },
    { id: 'stopped', status: 'blocked', ...takes(1, 1) },
    { id: 'behind', after: ['stopped'], ...takes(1, 1) },
    { id: 'hopes', after: ['lost'], after_success: ['lost'] },
    { id: 'lost', status: 'failed' },
  );
  const ids = (limits: { budget?: number; hours?: number }) =>
    planWork(graph, limits, NOW).selected.map((row) => row.id);
  expect(ids({})).toEqual(['a', 'c', 'b', 'd', 'free']);
  expect(planWork(graph, { hours: 5 }, NOW)).toMatchObject({
    hours: 5,
    budget: null,
    selected: [{ id: 'a', hours: 2, cost: 10 }, { id: 'b' }, { id: 'free', hours: null, cost: null }],
    left_out: [{ id: 'c' }],
    total_hours: 5,
    total_cost: 10.1,
    remaining_hours: 0,
    remaining_budget: null,
    missing_estimates: ['free'],
  });
  expect(ids({ budget: 10 })).toEqual(['a', 'free']);
  expect(ids({ budget: 0, hours: 0 })).toEqual(['free']);
});

verifies('graph.show.more', 'workload and stats: who has how much, and the whole in numbers', () => {
  const graph = graphOf(
    { id: 'a', status: 'in-progress', assigned: 'agent-1', member: 'Neo', ...takes(2, 1), tags: ['x', 'y'] },
    { id: 'b', member: 'Neo', after: ['a'], ...takes(1, 0) },
    { id: 'c', status: 'in-progress', assigned: 'ann' },
    { id: 'd', assigned: 'agent-9', tags: ['x'], retry_count: 2 },
    {
      id: 'e',
      status: 'done',
      started_at: '2026-03-21T08:00:00Z',
      completed_at: '2026-03-21T08:01:00Z',
      ...takes(4, 4),
      token_usage: { cost_usd: 0.25, input_tokens: 100, output_tokens: 20 },
    },
  );
  const { people, unassigned } = workload(graph, NOW);
  expect(people).toEqual([
    { name: 'Neo', in_progress: 1, ready: 0, waiting: 1, hours: 3, task_ids: ['a', 'b'] },
    { name: 'ann', in_progress: 1, ready: 0, waiting: 0, hours: 0, task_ids: ['c'] },
  ]);
  expect(unassigned).toEqual({ in_progress: 0, ready: 1, waiting: 0, hours: 0, task_ids: ['d'] });
  expect(statsOf(graph)).toMatchObject({
    total_tasks: 5,
    by_status: { open: 2, 'in-progress': 2, done: 1, failed: 0 },
    edges: 1,
    cycles: 0,
    tags: [
      { tag: 'x', tasks: 2 },
      { tag: 'y', tasks: 1 },
    ],
    estimated_hours: 7,
    estimated_cost: 5,
    remaining_hours: 3,
    average_seconds: 60,
    retries: 2,
    spent_usd: 0.25,
    tokens: 120,
  });
});

verifies('graph.resource.use', 'what unfinished tasks require, in hours or cost, against what there is', () => {
  const graph = new GraphState();
  const node = (id: string, fields: object) => ({ kind: 'resource', id, ...fields });
  const task = (id: string, fields: object) => ({ kind: 'task', id, title: id, status: 'open', ...fields }) as Task;
  graph.load(
    [
      node('budget', { type: 'money', available: 15, unit: 'usd' }),
      node('ann', { type: 'time', available: 20, unit: 'hours' }),
      node('open-ended', {}),
      node('odd', { available: 'plenty', name: 7 }),
      task('a', { requires: ['budget', 'ann', 'budget'], ...takes(12, 10) }),
      task('b', { requires: ['budget', 'ann'], status: 'blocked', ...takes(8.5, 5.2) }),
      task('c', { requires: ['budget', 'gpu'] }),
      task('done', { requires: ['budget'], status: 'done', ...takes(100, 100) }),
      task('hand', { requires: 'budget' }),
    ],
    1,
  );
  const { resources, unknown } = resourceUse(graph);
  expect(resources.map((row) => [row.id, row.required, row.available, row.remaining, row.over])).toEqual([
    ['ann', 20.5, 20, -0.5, true],
    ['budget', 15.2, 15, -0.2, true],
    ['odd', 0, null, null, false],
    ['open-ended', 0, null, null, false],
  ]);
  expect(resources[1]).toMatchObject({ tasks: ['a', 'b', 'c'], missing_estimates: ['c'], unit: 'usd', type: 'money' });
  expect(unknown).toEqual([{ id: 'gpu', tasks: ['c'] }]);
});

test('a resource is added once, changed by adding it again, and refused where it does not belong', () => {
  const graph = graphOf({ id: 'task' }, { id: 'gone' });
  graph.apply({ seq: 2, id: 'e', timestamp: '', op: 'gc', patch: [{ id: 'gone', del: true }] });
  const add = (draft: Parameters<typeof addResource>[1], by: Parameters<typeof addResource>[2] = ann) =>
    commit(graph, addResource(graph, draft, by));
  expect(add({ id: 'gpu', type: 'compute', available: 2, unit: 'cards' })).toEqual({ resource: 'gpu', changed: true });
  expect(graph.node('gpu')).toMatchObject({
    kind: 'resource',
    id: 'gpu',
    type: 'compute',
    available: 2,
    unit: 'cards',
  });
  expect(add({ id: 'gpu', available: 2 }).changed).toBe(false);
  expect(add({ id: 'gpu', available: 0 }).changed).toBe(true);
  expect(graph.node('gpu')).toMatchObject({ available: 0, unit: 'cards' });
  const code = (draft: Parameters<typeof addResource>[1], by?: Parameters<typeof addResource>[2]) => {
    try {
      add(draft, by);
    } catch (error) {
      return (error as { code: string }).code;
    }
    return 'none';
  };
  expect(code({ id: 'task' })).toBe('id_taken');
  expect(code({ id: 'gone' })).toBe('id_taken');
  expect(code({ id: '../up' })).toBe('bad_input');
  expect(code({ id: 'x', available: -1 })).toBe('bad_input');
  expect(code({ id: 'x', name: 'n'.repeat(SURFACE_LIMITS.resourceTextCharacters + 1) })).toBe('too_large');
  expect(code({ id: 'x' }, { name: 'agent-1', fence: 1 })).toBe('not_yours');
});

verifies(
  'graph.task.packet',
  'a task is handed its texts, and of what ended before it artifacts, log and failure reason',
  () => {
    const entry = (message: string) => ({ timestamp: '2026-03-21T09:00:00Z', actor: 'ann', message });
    const graph = graphOf(
      {
        id: 'revise',
        description: 'Revise it',
        inputs: ['draft.md'],
        skills: ['writing'],
        deliverables: ['final.md'],
        log: [entry('began'), null, 'scribbled', { message: 3 }] as never,
        checkpoint: 'half done',
        after: ['review', 'write', 'open', 'nobody'],
      },
      { id: 'write', status: 'done', artifacts: ['draft.md'], log: [entry('wrote it')] },
      { id: 'review', status: 'failed', failure_reason: 'too long' },
      { id: 'open', artifacts: ['not-yet.md'] },
      { id: 'publish', after: ['revise'], inputs: ['final.md'] },
    );
    const packet = packetOf(graph, 'revise', { dependents: false });
    expect(packet).toEqual({
      id: 'revise',
      title: 'revise',
      status: 'open',
      description: 'Revise it',
      inputs: ['draft.md'],
      skills: ['writing'],
      deliverables: ['final.md'],
      log: [entry('began')],
      checkpoint: 'half done',
      predecessors: [
        { id: 'review', title: 'review', status: 'failed', artifacts: [], log: [], failure_reason: 'too long' },
        {
          id: 'write',
          title: 'write',
          status: 'done',
          artifacts: ['draft.md'],
          log: [entry('wrote it')],
          failure_reason: null,
        },
      ],
    });
    expect(packetOf(graph, 'revise', { dependents: true }).dependents).toEqual([
      { id: 'publish', title: 'publish', status: 'open', inputs: ['final.md'] },
    ]);
  },
);
