import { describe, expect, test } from 'vitest';
import { addTask } from '#core/graph/add.js';
import { editTask } from '#core/graph/edit.js';
import type { Plan } from '#core/graph/event.js';
import {
  abandonTask,
  artifactTask,
  claimTask,
  doneTask,
  failTask,
  logTask,
  type Moved,
  type MoveOptions,
  retryTask,
  unclaimTask,
} from '#core/graph/moves.js';
import { STATUSES, type Status } from '#core/graph/task.js';
import { fieldsOf } from '#core/graph/task-field.js';
import type { GraphView } from '#core/graph/view.js';
import { refusalOf } from '../../refusal.js';
import { verifies } from '../../verifies.js';
import type { TaskFields } from './graph.js';
import { ann, commit, graphOf, NOW } from './graph.js';

const MOVES: Record<string, (view: GraphView, id: string, options: MoveOptions) => Plan<Moved>> = {
  claim: claimTask,
  unclaim: unclaimTask,
  done: doneTask,
  fail: failTask,
  abandon: abandonTask,
  retry: retryTask,
};
const by = { now: NOW, by: ann };

/** The table of the specification: the status after the move, `=` for none, ✗ for a refusal. */
const TABLE: Record<string, Record<Status, Status | '=' | '✗'>> = {
  claim: row('in-progress ✗ ✗ ✗ ✗ ✗ ✗ ✗'),
  unclaim: row('= open open ✗ ✗ ✗ ✗ ✗'),
  done: row('done done done ✗ ✗ = ✗ ✗'),
  fail: row('failed failed failed failed failed ✗ = ✗'),
  abandon: row('abandoned abandoned abandoned abandoned abandoned ✗ abandoned ='),
  retry: row('✗ ✗ ✗ ✗ ✗ ✗ open ✗'),
};

function row(cells: string): Record<Status, Status | '=' | '✗'> {
  return Object.fromEntries(STATUSES.map((status, index) => [status, cells.split(' ')[index]])) as never;
}

function holding(status: Status): TaskFields & { id: string } {
  const held = status === 'in-progress' || status === 'waiting';
  return { id: 'a', title: 'A', status, ...(held ? { assigned: 'bob', fence: 3 } : {}) };
}

/** Every cell of one row of the table. */
function walk(command: keyof typeof TABLE): void {
  for (const status of STATUSES) {
    const wanted = TABLE[command]?.[status];
    const graph = graphOf(holding(status));
    const move = () => MOVES[command]?.(graph, 'a', by) as Plan<Moved>;
    if (wanted === '✗') {
      const error = refusalOf(move);
      expect(error, `${command} of ${status}`).toMatchObject({ code: 'wrong_status', details: { id: 'a', status } });
      expect(error.message).toContain(status);
      if (status === 'in-progress') expect(error.message).toContain('bob');
      expect(error.hint.length).toBeGreaterThan(10);
      continue;
    }
    const plan = move();
    expect(plan.result.changed, `${command} of ${status}`).toBe(wanted !== '=');
    expect(plan.events.length).toBe(wanted === '=' ? 0 : 1);
    commit(graph, plan);
    expect(graph.task('a')?.status, `${command} of ${status}`).toBe(wanted === '=' ? status : wanted);
    expect(plan.result.status).toBe(graph.task('a')?.status);
  }
}

describe('the table of moves', () => {
  verifies('graph.move.claim', 'claim: only what is open', () => walk('claim'));
  verifies('graph.move.unclaim', 'unclaim: what is held goes back', () => walk('unclaim'));
  verifies('graph.move.done', 'done: what is open or held', () => walk('done'));
  verifies('graph.move.fail', 'fail: whatever is not over', () => walk('fail'));
  verifies('graph.move.abandon', 'abandon: whatever is not done', () => walk('abandon'));
  verifies('graph.move.retry', 'retry: what failed', () => walk('retry'));

  verifies('graph.move.done', 'done of a task that wants a review submits it', () => {
    for (const gate of [{ verify: 'read it' }, { validation: 'external' }]) {
      const graph = graphOf({ ...holding('in-progress'), ...gate });
      expect(commit(graph, doneTask(graph, 'a', by)).status).toBe('pending-validation');
      expect(graph.task('a')?.completed_at).toBeUndefined();
    }
  });

  test('a move of a task that does not exist names the one meant', () => {
    const graph = graphOf({ id: 'write-draft' });
    expect(refusalOf(() => claimTask(graph, 'write-daft', by))).toMatchObject({
      code: 'unknown_task',
      hint: 'Did you mean write-draft?',
    });
  });
});

describe('claims', () => {
  verifies(
    'graph.move.claim-once',
    'one event sets holder, time and fence; the next claim is refused with the holder',
    () => {
      const graph = graphOf({ id: 'a', fence: 4 });
      const plan = claimTask(graph, 'a', by);
      expect(plan.events).toHaveLength(1);
      expect(plan.events[0]).toMatchObject({ op: 'claim', task_id: 'a', actor: 'ann' });
      expect(commit(graph, plan).fence).toBe(5);
      expect(graph.task('a')).toMatchObject({ assigned: 'ann', started_at: '2026-03-21T10:00:00.000Z', fence: 5 });
      expect(refusalOf(() => claimTask(graph, 'a', { now: NOW, by: { name: 'bob' } }))).toMatchObject({
        code: 'wrong_status',
        details: { assigned: 'ann' },
      });
    },
  );

  verifies('graph.move.claim-once', 'what is not ready is refused with reasons; a person may force it', () => {
    const graph = graphOf({ id: 'a', after: ['b'], paused: true }, { id: 'b' });
    const error = refusalOf(() => claimTask(graph, 'a', by));
    expect(error).toMatchObject({
      code: 'not_ready',
      details: { reasons: [{ code: 'paused' }, { code: 'predecessor' }] },
    });
    expect(error.message).toContain('b');
    expect(commit(graph, claimTask(graph, 'a', { ...by, force: true })).status).toBe('in-progress');
  });

  verifies('graph.move.claim-once', 'unclaim also drops a stale holder of an open task', () => {
    const graph = graphOf({ id: 'a', assigned: 'agent-1' });
    expect(commit(graph, unclaimTask(graph, 'a', by)).changed).toBe(true);
    expect(graph.task('a')?.assigned).toBeUndefined();
    expect(commit(graph, unclaimTask(graph, 'a', by)).changed).toBe(false);
  });
});

describe('fences', () => {
  const run = (fence: number) => ({ now: NOW, by: { name: 'agent-1', fence } });

  verifies('graph.move.fenced', 'once the claim moved on, the late run is refused everything', () => {
    const graph = graphOf({ id: 'a', status: 'in-progress', assigned: 'agent-2', fence: 2 });
    const writes: Record<string, () => unknown> = {
      done: () => doneTask(graph, 'a', run(1)),
      fail: () => failTask(graph, 'a', run(1)),
      unclaim: () => unclaimTask(graph, 'a', run(1)),
      abandon: () => abandonTask(graph, 'a', run(1)),
      log: () => logTask(graph, 'a', 'late words', run(1)),
      artifact: () => artifactTask(graph, 'a', ['x'], run(1)),
      edit: () => editTask(graph, 'a', { title: 'Mine' }, { by: run(1).by }),
    };
    for (const [name, write] of Object.entries(writes)) {
      expect(refusalOf(write), name).toMatchObject({ code: 'stale_attempt', details: { fence: 2, yours: 1 } });
    }
    expect(graph.task('a')?.status).toBe('in-progress');
  });

  verifies('graph.move.fenced', 'a fence that was never given is refused as an old one is', () => {
    const graph = graphOf(
      { id: 'a', status: 'in-progress', assigned: 'agent-1', fence: 2 },
      { id: 'child', created_by: 'agent-1' },
    );
    const writes: Record<string, (fence: number) => unknown> = {
      done: (fence) => doneTask(graph, 'a', run(fence)),
      fail: (fence) => failTask(graph, 'a', run(fence)),
      unclaim: (fence) => unclaimTask(graph, 'a', run(fence)),
      abandon: (fence) => abandonTask(graph, 'a', run(fence)),
      log: (fence) => logTask(graph, 'a', 'words', run(fence)),
      artifact: (fence) => artifactTask(graph, 'a', ['x'], run(fence)),
      'to a task it made': (fence) =>
        abandonTask(graph, 'child', { now: NOW, by: { name: 'agent-1', fence, taskId: 'a' } }),
    };
    for (const [name, write] of Object.entries(writes)) {
      for (const fence of [1, 3, 9])
        expect(['stale_attempt', 'not_yours'], name).toContain(refusalOf(() => write(fence)).code);
      expect(() => write(2), name).not.toThrow();
    }
  });

  verifies('graph.move.fenced', 'released, done or failed by others meanwhile: refused as well', () => {
    for (const task of [
      { status: 'open' as const, fence: 1 },
      { status: 'done' as const, fence: 2, assigned: 'agent-2' },
      { status: 'failed' as const, fence: 2, assigned: 'agent-2' },
      { status: 'abandoned' as const, fence: 1 },
    ]) {
      const graph = graphOf({ id: 'a', ...task });
      expect(refusalOf(() => doneTask(graph, 'a', run(1))).code).toBe('stale_attempt');
      expect(refusalOf(() => failTask(graph, 'a', run(1))).code).toBe('stale_attempt');
    }
  });

  verifies('graph.move.fenced', 'a run moves its own task and those it made, nothing else', () => {
    const agent = { now: NOW, by: { name: 'agent-1', fence: 1, taskId: 'mine' } };
    const graph = graphOf(
      { id: 'mine', status: 'in-progress', assigned: 'agent-1', fence: 1 },
      { id: 'child', created_by: 'agent-1' },
      { id: 'other', fence: 7, status: 'in-progress', assigned: 'agent-9' },
      { id: 'broken', fence: 1, status: 'failed', assigned: 'agent-4' },
    );
    for (const write of [
      () => doneTask(graph, 'other', agent),
      () => logTask(graph, 'other', 'hello', agent),
      () => retryTask(graph, 'broken', agent),
      () => claimTask(graph, 'child', agent),
    ]) {
      expect(refusalOf(write).code).toBe('not_yours');
    }
    commit(graph, abandonTask(graph, 'child', agent));
    commit(graph, doneTask(graph, 'mine', agent));
    expect([graph.task('child')?.status, graph.task('mine')?.status]).toEqual(['abandoned', 'done']);
  });

  verifies('graph.move.fenced', 'a run may not open its own task again after it failed', () => {
    const graph = graphOf({ id: 'a', status: 'failed', assigned: 'agent-2', fence: 2 });
    expect(refusalOf(() => retryTask(graph, 'a', run(1))).code).toBe('stale_attempt');
  });

  verifies('graph.move.fenced', 'the holder itself may, also twice', () => {
    const graph = graphOf({ id: 'a', status: 'in-progress', assigned: 'agent-1', fence: 1 });
    commit(graph, logTask(graph, 'a', 'words', run(1)));
    expect(commit(graph, doneTask(graph, 'a', run(1))).changed).toBe(true);
    expect(commit(graph, doneTask(graph, 'a', run(1))).changed).toBe(false);
  });
});

describe('ends', () => {
  verifies('graph.move.done-unresolved', 'unfinished predecessors are named; --force goes on', () => {
    const graph = graphOf(
      { id: 'a', after: ['d', 'c', 'b', 'gone'] },
      { id: 'b' },
      { id: 'c', status: 'waiting' },
      { id: 'd', status: 'failed' },
    );
    const error = refusalOf(() => doneTask(graph, 'a', by));
    expect(error).toMatchObject({ code: 'unresolved', details: { ids: ['b', 'c'] } });
    expect(commit(graph, doneTask(graph, 'a', { ...by, force: true })).status).toBe('done');
  });

  test('fail keeps the reason and counts; retry clears what belongs to the attempt', () => {
    const graph = graphOf({
      id: 'a',
      status: 'in-progress',
      assigned: 'bob',
      started_at: '2026-03-21T09:00:00.000Z',
      fence: 1,
    });
    commit(graph, failTask(graph, 'a', { ...by, reason: 'two tests are red' }));
    expect(graph.task('a')).toMatchObject({ status: 'failed', failure_reason: 'two tests are red', retry_count: 1 });
    commit(graph, retryTask(graph, 'a', by));
    const task = graph.task('a');
    expect(task).toMatchObject({ status: 'open', retry_count: 1, fence: 1 });
    for (const field of ['failure_reason', 'assigned', 'started_at', 'completed_at'])
      expect(fieldsOf(task)[field]).toBeUndefined();
    commit(graph, failTask(graph, 'a', by));
    expect(graph.task('a')).toMatchObject({ retry_count: 2 });
    expect(graph.task('a')?.failure_reason).toBeUndefined();
    expect(graph.task('a')?.log?.map((entry) => entry.message)).toEqual([
      'Failed: two tests are red',
      'Retried',
      'Failed',
    ]);
  });
});

verifies('fence.refuse', 'a run whose claim is gone adds nothing, and writes no more to what it made', () => {
  const run = { name: 'agent-1', taskId: 'own', fence: 1 };
  const own = { id: 'own', status: 'in-progress', assigned: 'agent-1', fence: 1 } as const;
  const child = { id: 'child', created_by: 'agent-1' };
  const options = { now: NOW, by: run };
  const add = (graph: GraphView) => addTask(graph, { title: 'More' }, { now: NOW, actor: 'agent-1', by: run });
  for (const held of [own, { ...own, status: 'done' as const }]) {
    const graph = graphOf(held, child);
    expect(add(graph).result.id).toBe('more');
    expect(doneTask(graph, 'child', options).result.id).toBe('child');
  }
  for (const gone of [
    { ...own, assigned: 'agent-2', fence: 2 },
    { id: 'own', status: 'open' as const, fence: 2 },
  ]) {
    const graph = graphOf(gone, child);
    const details = { code: 'stale_attempt', details: { id: 'own', fence: 2, yours: 1 } };
    expect(refusalOf(() => add(graph))).toMatchObject(details);
    expect(refusalOf(() => doneTask(graph, 'child', options))).toMatchObject(details);
    expect(refusalOf(() => editTask(graph, 'child', { title: 'Mine' }, options))).toMatchObject(details);
  }
});
