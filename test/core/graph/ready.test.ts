import { describe, expect, test } from 'vitest';
import { editTask } from '#core/graph/edit.js';
import type { Entry } from '#core/graph/event.js';
import { doneTask, failTask, retryTask } from '#core/graph/moves.js';
import { readiness } from '#core/graph/ready.js';
import { GraphState } from '#core/graph/state.js';
import { type GraphNode, STATUSES } from '#core/graph/task.js';
import { verifies } from '../../verifies.js';
import { ann, commit, graphOf, NOW } from './graph.js';

const LATER = '2026-03-21T11:00:00.000Z';
const EARLIER = '2026-03-21T09:00:00.000Z';
const by = { now: NOW, by: ann };

describe('readiness', () => {
  verifies('graph.ready.open', 'only open tasks', () => {
    for (const status of STATUSES) {
      const graph = graphOf({ id: 'a', status });
      const answer = readiness(graph, 'a', NOW);
      expect(answer.ready, status).toBe(status === 'open');
      if (status !== 'open') expect(answer.reasons).toEqual([{ code: 'status' }]);
      expect([...graph.candidates()]).toEqual(status === 'open' ? ['a'] : []);
    }
  });

  verifies('graph.ready.paused', 'not while paused', () => {
    const graph = graphOf({ id: 'a', paused: true });
    expect(readiness(graph, 'a', NOW).reasons).toEqual([{ code: 'paused' }]);
    expect([...graph.candidates()]).toEqual([]);
  });

  verifies('graph.ready.time', 'past both times; what cannot be read counts as past', () => {
    const at = (times: object) => readiness(graphOf({ id: 'a', ...times }), 'a', NOW);
    expect(at({ not_before: EARLIER, ready_after: EARLIER }).ready).toBe(true);
    expect(at({ not_before: LATER }).reasons).toEqual([{ code: 'time', until: LATER }]);
    expect(at({ ready_after: LATER, not_before: EARLIER }).reasons).toEqual([{ code: 'time', until: LATER }]);
    expect(at({ not_before: 'next week, perhaps' }).ready).toBe(true);
    expect(at({ not_before: new Date(NOW).toISOString() }).ready).toBe(true);
  });

  verifies('graph.ready.predecessors', 'every terminal status unblocks; success edges want done', () => {
    const graph = graphOf(
      { id: 'a', after: ['open', 'done', 'failed', 'gone', 'abandoned'] },
      { id: 'open' },
      { id: 'done', status: 'done' },
      { id: 'failed', status: 'failed' },
      { id: 'abandoned', status: 'abandoned' },
      {
        id: 's',
        after: ['done', 'failed', 'abandoned', 'gone'],
        after_success: ['done', 'failed', 'abandoned', 'gone'],
      },
    );
    expect(readiness(graph, 'a', NOW).reasons).toEqual([{ code: 'predecessor', ids: ['open'] }]);
    expect(readiness(graph, 's', NOW).reasons).toEqual([{ code: 'needs-success', ids: ['abandoned', 'failed'] }]);
    expect([...graph.candidates()]).toEqual(['open']);
  });

  verifies(
    ['graph.edge.missing', 'graph.edge.after'],
    'unknown predecessors and legacy before edges hold nothing up',
    () => {
      const graph = graphOf({ id: 'a', after: ['nobody'] }, { id: 'b', before: ['a'] as never });
      expect(readiness(graph, 'a', NOW).ready).toBe(true);
      expect([...graph.candidates()].sort()).toEqual(['a', 'b']);
    },
  );

  verifies('graph.edge.success', 'worked example 2: fail-through and its opposite', () => {
    const graph = graphOf({ id: 'a' }, { id: 'b', after: ['a'] }, { id: 'c', after: ['a'], after_success: ['a'] });
    commit(graph, failTask(graph, 'a', by));
    expect([...graph.candidates()]).toEqual(['b']);
    expect(readiness(graph, 'c', NOW).reasons).toEqual([{ code: 'needs-success', ids: ['a'] }]);
    commit(graph, retryTask(graph, 'a', by));
    expect([...graph.candidates()]).toEqual(['a']);
    commit(graph, doneTask(graph, 'a', by));
    expect([...graph.candidates()].sort()).toEqual(['b', 'c']);
  });

  verifies(
    ['graph.ready.order', 'coord.tick.order'],
    'the moment it became ready is the latest of creation, times and ends before it',
    () => {
      const graph = graphOf(
        { id: 'early', created_at: '2026-03-21T08:00:00.000Z' },
        { id: 'timed', created_at: EARLIER, not_before: '2026-03-21T09:30:00.000Z' },
        { id: 'after', created_at: EARLIER, after: ['first'] },
        { id: 'first', status: 'done', completed_at: '2026-03-21T09:45:00.000Z' },
      );
      const moments = ['early', 'timed', 'after', 'first'].map((id) => graph.readyAt(id));
      expect(moments).toEqual([
        ...['08:00', '09:30', '09:45'].map((time) => Date.parse(`2026-03-21T${time}:00.000Z`)),
        undefined,
      ]);
    },
  );

  test('an edge added or removed is noticed at once', () => {
    const graph = graphOf({ id: 'a' }, { id: 'b' });
    commit(graph, editTask(graph, 'b', { add_after: ['a'] }, { by: ann }));
    expect([...graph.candidates()]).toEqual(['a']);
    commit(graph, editTask(graph, 'b', { remove_after: ['a'] }, { by: ann }));
    expect([...graph.candidates()].sort()).toEqual(['a', 'b']);
  });
});

verifies('graph.ready.predecessors', 'a graph that is read in knows who is free as one that grew', () => {
  const task = (id: string, status: string, more: object = {}) =>
    ({ kind: 'task', id, title: id, status, ...more }) as unknown as GraphNode;
  const nodes = [
    ...[task('done', 'done'), task('failed', 'failed'), task('open', 'open'), task('busy', 'in-progress')],
    ...[task('a', 'open', { after: ['done', 'failed'] }), task('b', 'open', { after: ['done', 'done', 'open'] })],
    ...[task('c', 'open', { after: ['failed'], after_success: ['failed'] }), task('d', 'open', { after: ['nobody'] })],
    ...[task('e', 'open', { after: ['busy'] }), task('f', 'open', { after: ['done'], paused: true })],
  ];
  const free = (...more: GraphNode[]) => {
    const state = new GraphState();
    state.load([...nodes, ...more], 1);
    return [...state.candidates()].sort();
  };
  expect(free()).toEqual(['a', 'd', 'open']);
  const later = (...patch: Entry['patch']) => {
    const state = new GraphState();
    state.load(nodes, 1);
    for (const [index, one] of patch.entries())
      state.apply({ seq: index + 2, id: 'e', timestamp: '', op: 'edit', patch: [one] });
    return [...state.candidates()].sort();
  };
  expect(later({ id: 'open', set: { status: 'done' } }, { id: 'e', set: { after: [] } })).toEqual(['a', 'b', 'd', 'e']);
  expect(later({ id: 'busy', del: true }, { id: 'done', set: { status: 'open' } })).toEqual(['d', 'done', 'e', 'open']);
  const header = task('g', 'open', { after: ['h'], cycle_config: { max_iterations: 2 } });
  expect(free(header, task('h', 'open', { after: ['g'] }))).toEqual(['a', 'd', 'g', 'open']);
});
