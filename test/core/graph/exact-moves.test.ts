import { describe, expect, test } from 'vitest';
import { reclaimTask } from '#core/graph/hand-over.js';
import { reassignTasks } from '#core/graph/member.js';
import { isMeta, isMetaId } from '#core/graph/meta.js';
import { abandonTask, retryTask } from '#core/graph/moves.js';
import { pauseTask } from '#core/graph/pause.js';
import { taskOf } from '#core/graph/task-of.js';
import { parseWait } from '#core/graph/wait.js';
import { ann, codeOf, commit, graphOf, NOW } from './graph.js';

const options = { now: NOW, by: ann };

test('a claim handed over answers the task as it stands, and whose it is when it is another’s', () => {
  const graph = graphOf({ id: 'a', status: 'in-progress', assigned: 'bob', fence: 3 }, { id: 'b', status: 'waiting' });
  const hand = (id: string) => reclaimTask(graph, id, { ...options, from: 'bob', to: 'cid' });
  expect(hand('a').result).toMatchObject({ id: 'a', status: 'in-progress', fence: 4 });
  expect(() => hand('b')).toThrowError(expect.objectContaining({ details: { id: 'b', assigned: null } }));
});

describe('tasks about others', () => {
  test('one that is only called so, and neither comes after it nor judges it, is work like any other', () => {
    const graph = graphOf({ id: 'a' }, { id: 'evaluate-a' }, { id: 'evaluate-b', after: ['b'] }, { id: 'assign-a' });
    const meta = (id: string) => isMeta(graph, taskOf(graph, id));
    expect([meta('evaluate-a'), meta('evaluate-b'), meta('assign-a')]).toEqual([false, false, true]);
    const after = graphOf({ id: 'a' }, { id: 'evaluate-a', after: ['a'] });
    expect(isMeta(after, taskOf(after, 'evaluate-a'))).toBe(true);
  });

  test('an id speaks about a task that is there', () => {
    const graph = graphOf({ id: 'a' });
    expect(['evaluate-a', 'evaluate-b', 'a', '.place-b'].map((id) => isMetaId(graph, id))).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });
});

test('one task that supersedes another is written down on both', () => {
  const graph = graphOf({ id: 'a' }, { id: 'b' });
  commit(graph, abandonTask(graph, 'a', { ...options, superseded_by: ['b'] }));
  expect(graph.task('a')).toMatchObject({ status: 'abandoned', superseded_by: ['b'] });
  expect(graph.task('b')).toMatchObject({ supersedes: 'a' });
});

test('a run whose claim is over pauses nothing', () => {
  const graph = graphOf({ id: 'a', status: 'in-progress', assigned: 'agent-2', fence: 2 });
  expect(codeOf(() => pauseTask(graph, 'a', { now: NOW, by: { name: 'agent-1', taskId: 'a', fence: 1 } }))).toBe(
    'stale_attempt',
  );
});

test('a task opened again says by which move, whose it is and who asked', () => {
  const graph = graphOf({ id: 'a', status: 'failed', failure_reason: 'no luck' });
  expect(retryTask(graph, 'a', options).events).toMatchObject([{ op: 'retry', task_id: 'a', actor: 'ann' }]);
});

test('only a done task of a cycle that came to rest can be opened again', () => {
  const cycle = { id: 'loop', after: ['loop'], cycle_config: { max_iterations: 2 } };
  const graph = graphOf(cycle, { id: 'a', status: 'done' });
  expect(codeOf(() => retryTask(graph, 'a', options))).toBe('wrong_status');
});

test('a file that is not there yet is waited for from nothing', () => {
  const { conditions } = parseWait(graphOf(), 'file:out.txt', { now: NOW, files: new Map() });
  expect(conditions).toEqual([{ type: 'file-changed', path: 'out.txt', mtime_at_wait: 0, size_at_wait: 0 }]);
});

test('tasks of who leaves go to who comes, or to nobody; what is over, and of others, stays', () => {
  const graph = graphOf(
    { id: 'a', member: 'Ann' },
    { id: 'b', member: 'bob' },
    { id: 'c', member: 'ann', status: 'done' },
    { id: 'd' },
    { id: 'e', member: 'cid' },
  );
  const plan = reassignTasks(graph, [{ name: 'ann', next: 'eve' }, { name: 'bob' }], options);
  expect(plan.result.tasks).toEqual(['a', 'b']);
  commit(graph, plan);
  expect(['a', 'b', 'c', 'd', 'e'].map((id) => graph.task(id)?.member)).toEqual([
    'eve',
    undefined,
    'ann',
    undefined,
    'cid',
  ]);
});
