import { describe, expect, test } from 'vitest';
import { decide } from '#core/coordinator/parts.js';
import { NO_RESURRECTION_TAG, type UnreadFact } from '#core/coordinator/resurrect.js';
import type { GraphState } from '#core/graph/state.js';
import { verifies } from '../../verifies.js';
import type { TaskFields } from '../graph/graph.js';
import { apply, graphOf, NOW, said, snapshot } from './stage.js';

const message = (number: number, from: UnreadFact['from'] = 'person', speaksFor?: string): UnreadFact => ({
  task: 'x',
  number,
  at: NOW - 1_000,
  from,
  ...(speaksFor === undefined ? {} : { speaksFor }),
});
const done = (fields: TaskFields = {}): TaskFields & { id: string } => ({
  ...{ id: 'x', status: 'done', title: 'Write it', completed_at: new Date(NOW - 5_000).toISOString(), fence: 2 },
  ...{ checkpoint: 'the lexer', session_id: 's-1', artifacts: ['a.ts'], last_run: { run: 'agent-1', iteration: 0 } },
  ...fields,
});

function pass(graph: GraphState, unread: readonly UnreadFact[], now = NOW) {
  const decisions = decide(snapshot(graph, { unread, paused: true }), now);
  apply(graph, decisions);
  return decisions;
}

describe('a done task with unread messages', () => {
  verifies(
    ['resurrect.rule', 'coord.tick.resurrect'],
    'is opened again with all it knows; its followers wait again',
    () => {
      const graph = graphOf(done(), { id: 'y', after: ['x'] });
      const decisions = pass(graph, [message(1), message(2)]);
      expect(said(decisions)).toEqual(['resurrect']);
      expect(graph.task('x')).toMatchObject({
        status: 'open',
        checkpoint: 'the lexer',
        session_id: 's-1',
        artifacts: ['a.ts'],
        fence: 2,
      });
      for (const field of ['completed_at', 'assigned']) expect(graph.task('x')).not.toHaveProperty(field);
      expect(graph.task('x')?.log?.at(-1)?.message).toBe('Opened again: 2 unread messages');
      expect([...graph.candidates()]).toEqual(['x']);
    },
  );

  verifies('resurrect.rule', 'what was there when its last attempt began stood in the prompt', () => {
    const begun = (ms: number) => ({ started_at: new Date(NOW - ms).toISOString() });
    expect(said(pass(graphOf(done(begun(500))), [message(1)]))).toEqual([]);
    expect(said(pass(graphOf(done(begun(2_000))), [message(1)]))).toEqual(['resurrect']);
  });

  verifies('resurrect.rule', 'only people, the coordinator and agents of tasks after it are heard', () => {
    const heard = (fact: UnreadFact) => pass(graphOf(done(), { id: 'y', after: ['x'] }, { id: 'z' }), [fact]).length;
    expect([message(1), message(1, 'coordinator'), message(1, 'run', 'y')].map(heard)).toEqual([1, 1, 1]);
    expect([message(1, 'run', 'z'), message(1, 'run', 'x'), message(1, 'run')].map(heard)).toEqual([0, 0, 0]);
  });

  verifies('resurrect.rule', 'once a batch, at most three times, a minute apart', () => {
    const graph = graphOf(done());
    const finish = () =>
      graph.apply({ seq: graph.seq, id: '', timestamp: '', op: 'done', patch: [{ id: 'x', set: { status: 'done' } }] });
    const opened: number[] = [];
    for (let step = 0; step < 12; step++) {
      const now = NOW + step * 30_000;
      // Another message each time; what was there before is never read.
      const unread = Array.from({ length: step + 1 }, (_, at) => message(at + 1));
      if (pass(graph, unread, now).length > 0) {
        opened.push(step);
        finish();
        expect(pass(graph, unread, now + 200_000)).toEqual([]);
      }
    }
    expect(opened).toEqual([0, 2, 4]);
  });

  verifies('resurrect.rule', 'a tag opts out; commands, and what is not done, are left alone', () => {
    for (const fields of [
      { tags: [NO_RESURRECTION_TAG] },
      { exec: 'make' },
      { status: 'failed' },
      { status: 'open' },
      { status: 'abandoned' },
    ] satisfies TaskFields[])
      expect(pass(graphOf(done(fields)), [message(1)])).toEqual([]);
    expect(pass(graphOf({ id: 'other' }), [message(1)])).toEqual([]);
  });

  verifies('resurrect.rule', 'when a task after it has begun, a task of its own answers', () => {
    for (const follower of [
      { id: 'y', after: ['x'], status: 'in-progress', assigned: 'agent-3', fence: 1 },
      { id: 'y', after: ['x'], status: 'done' },
      { id: 'y', after: ['x'], fence: 1 },
    ] as (TaskFields & { id: string })[]) {
      const graph = graphOf(done({ member: 'Trinity' }), follower);
      expect(said(pass(graph, [message(1)]))).toEqual(['resurrect']);
      expect(graph.task('x')?.status).toBe('done');
      expect(graph.task('respond-to-x')).toMatchObject({
        status: 'open',
        parent: 'x',
        member: 'Trinity',
        created_by: 'coordinator',
      });
      expect(pass(graph, [message(1)], NOW + 200_000)).toEqual([]);
      pass(graph, [message(1), message(2)], NOW + 200_000);
      expect(graph.task('respond-to-x-2')?.parent).toBe('x');
    }
    const given = graphOf(done(), { id: 'y', after: ['x'], status: 'abandoned' });
    pass(given, [message(1)]);
    expect(given.task('x')?.status).toBe('open');
  });
});

test('several tasks at once, in the same order whatever the order of the facts', () => {
  const graph = () => graphOf(done(), done({ id: 'w' }));
  const unread = [message(1), { ...message(1), task: 'w' }];
  const decisions = decide(snapshot(graph(), { unread, paused: true }), NOW);
  expect(decisions).toEqual(decide(snapshot(graph(), { unread: [...unread].reverse(), paused: true }), NOW));
  expect(decisions.map((decision) => 'task' in decision && decision.task)).toEqual(['w', 'x']);
});
