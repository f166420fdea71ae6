import { expect } from 'vitest';
import { FINISH } from '#core/coordinator/finish.js';
import { decide } from '#core/coordinator/parts.js';
import { settleOne } from '#core/coordinator/settle.js';
import type { RunFact } from '#core/coordinator/snapshot.js';
import { continuedRun } from '#core/graph/attempts.js';
import { lastWordsOf } from '#core/graph/last-words.js';
import { claimTask, doneTask, failTask } from '#core/graph/moves.js';
import { readiness } from '#core/graph/ready.js';
import type { GraphState } from '#core/graph/state.js';
import type { Task } from '#core/graph/task.js';
import { fieldsOf } from '#core/graph/task-field.js';
import { answerTask } from '#core/graph/unreported.js';
import { verifies } from '../../verifies.js';
import type { TaskFields } from '../graph/graph.js';
import { commit } from '../graph/graph.js';
import { type Answer, apply, fact, graphOf, held, NOW, said, snapshot } from './stage.js';

const WORDS = 'Should I go on? Which file do you mean?';
const well = { outcome: 'succeeded', reason: 'The client finished.', sessionId: 's1', lastWords: WORDS } as const;
/** A client that ended its turn well; whether it reported the graph knows. */
const over = (fields: Partial<RunFact> = {}): RunFact =>
  fact('agent-1', 'a', {
    executor: 'claude',
    alive: false,
    exit: { code: 0 },
    result: well,
    silentEnd: 'ask',
    ...fields,
  });
const task = (fields: TaskFields = {}) => held('a', 'agent-1', { exec: undefined, ...fields } as TaskFields);
const settle = (graph: GraphState, run: RunFact, answer?: Answer) => {
  const answers = new Map(answer ? [[FINISH.key(run.id), answer]] : []);
  const decisions = decide(
    snapshot(graph, { runs: [run], paused: true, errands: { underWay: new Set(), answers } }),
    NOW,
  );
  apply(graph, decisions);
  return decisions;
};
/** The next attempt at it, as the coordinator begins one. */
const again = (graph: GraphState, run: string) => {
  const { fence } = commit(graph, claimTask(graph, 'a', { now: NOW, by: { name: run } }));
  return over({ id: run, fence });
};

verifies(
  'hold.silent-end',
  'a client that ends well without a report is asked once; then a person has to look, and nothing after it began',
  () => {
    const graph = graphOf(task(), { id: 'b', after: ['a'], exec: 'true' });
    expect(said(settle(graph, over()))).toEqual(['settle-exit a agent-1']);
    expect(graph.task('a')).toMatchObject({ status: 'open', asked_to_report: 1, session_id: 's1', fence: 1 });
    expect(graph.task('a')).toMatchObject({ last_run: { run: 'agent-1' } });
    expect(graph.task('a')?.retry_count, 'no attempt was lost').toBeUndefined();
    // Whoever sees the same end again, in this life or the next, finds it settled.
    expect(settle(graph, over()).flatMap(({ events }) => events.flatMap(({ patch }) => patch))).toEqual([]);
    expect(settleOne(graph, over(), new Map(), NOW, new Map())).toEqual([]);

    const second = again(graph, 'agent-2');
    // It dies on the way: the question stands, and is not put a second time.
    settle(graph, { ...second, exit: undefined, result: undefined } as never);
    expect(graph.task('a')).toMatchObject({ status: 'open', asked_to_report: 1 });
    const third = { ...graph.task('a'), ready_after: undefined };
    expect(third.status).toBe('open');
    const next = graphOf(third as unknown as Task, { id: 'b', after: ['a'], exec: 'true' });
    settle(next, again(next, 'agent-3'));
    expect(next.task('a')).toMatchObject({ status: 'pending-validation', assigned: 'agent-3' });
    expect(next.task('a')?.failure_reason).toBe(
      `Its run ended without reporting done, fail or wait. Its last words: ${WORDS}`,
    );
    expect(fieldsOf(next.task('a'))['asked_to_report'], 'a later attempt may be asked anew').toBeUndefined();
    expect(next.task('b')?.status).toBe('open');
  },
);

verifies(
  ['hold.silent-end', 'end.unfinished'],
  'a check or a report are its word; a change or an artifact says nothing of whether it is finished',
  () => {
    const end = (fields: TaskFields, run: Partial<RunFact>, answer?: Answer) => {
      const graph = graphOf(task(fields));
      settle(graph, over(run), answer);
      return graph.task('a')?.status;
    };
    const looked = (more: object): Answer => ({ of: 'finish', evidence: {}, ...more }) as Answer;
    const passed = { ...well, check: { lastLines: '', code: 0, ms: 5 } };
    expect(end({ verify_cmd: 'true' }, { result: passed }, looked({}))).toBe('done');
    expect(end({}, { branch: 'wg/a/1' }, looked({}))).toBe('open');
    expect(end({ artifacts: ['out.md'] }, {}, looked({}))).toBe('open');
    const asked = { asked_to_report: 1 } as never;
    expect(end(asked, { branch: 'wg/a/1' }, looked({ evidence: { commit: 'c' } }))).toBe('pending-validation');
    expect(end({ reported: { at: '2026-03-21T10:00:00.000Z', fence: 1 } } as never, {})).toBe('done');
    // A shell, a custom executor whose file says nothing, and `silent_end = "done"`: a good end is the verdict.
    expect(end({}, { silentEnd: undefined } as never)).toBe('done');
    expect(end({}, { result: { outcome: 'succeeded', reason: '' } }), 'no session to ask').toBe('pending-validation');
  },
);

verifies('wait.question', 'a person answers: the session goes on where it was, and nothing counts', () => {
  const graph = graphOf(task({ asked_to_report: 1 } as never));
  settle(graph, over());
  const person = { now: NOW, by: { name: 'ann' } };
  commit(graph, answerTask(graph, 'a', person));
  const { status, retry_count, failure_reason, assigned } = graph.task('a') as Task;
  expect({ status, retry_count, failure_reason, assigned }).toEqual({ status: 'open' });
  expect(continuedRun(graph.task('a') as Task)).toBe('agent-1');
  for (const fields of [{ status: 'waiting' }, { status: 'in-progress' }, { status: 'open' }])
    expect(answerTask(graphOf(task(fields as never)), 'a', person).events, 'the message is enough').toEqual([]);
  for (const fields of [{ status: 'done' }, { status: 'pending-validation' }, { status: 'failed' }])
    expect(() => answerTask(graphOf(task(fields as never)), 'a', person)).toThrow(
      expect.objectContaining({ code: 'wrong_status' }),
    );
});

verifies('wait.turn', 'a turn of a team that ends without a report is over, so that later mail is read', () => {
  const id = '.turn-abcd-1-1';
  const turn = { ...task({ asked_to_report: 1, team: 'airlock' } as never), id } as never;
  const graph = graphOf(turn, { id: '.turn-abcd-2-1', after: [id], team: 'airlock' } as never);
  settle(graph, { ...over(), taskId: id });
  expect(graph.task(id)).toMatchObject({ status: 'done' });
  expect(lastWordsOf(graph.task(id) as Task)).toBe(WORDS);
  expect(readiness(graph, '.turn-abcd-2-1', NOW).ready).toBe(true);
  // In a session somebody waits for what the member says.
  const spoken = '.session-abcd-1-1';
  const session = graphOf({ ...task({ asked_to_report: 1, team: 'airlock' } as never), id: spoken } as never);
  settle(session, { ...over(), taskId: spoken });
  expect(session.task(spoken)).toMatchObject({ status: 'failed', failure_reason: expect.stringContaining(WORDS) });
  // It is asked first, as everybody is.
  const first = graphOf({ ...task({ team: 'airlock' } as never), id } as never);
  settle(first, { ...over(), taskId: id });
  expect(first.task(id)).toMatchObject({ status: 'open', asked_to_report: 1 });
});

verifies('hold.silent-end', 'an answer takes the question back', () => {
  const run = { name: 'agent-1', fence: 1, taskId: 'a' };
  for (const [move, status] of [
    [doneTask, 'done'],
    [failTask, 'failed'],
  ] as const) {
    const asked = graphOf(task({ asked_to_report: 1 } as never));
    commit(asked, move(asked, 'a', { now: NOW, by: run, reason: 'so it is' }));
    expect(asked.task('a')).toMatchObject({ status });
    expect(fieldsOf(asked.task('a'))['asked_to_report']).toBeUndefined();
  }
});

verifies('hold.last-words', 'stand in the log of the task, however its run ended', () => {
  for (const fields of [
    {},
    { result: { ...well, outcome: 'failed' as const }, exit: { code: 1 } },
    { silentEnd: undefined } as never,
  ]) {
    const graph = graphOf(task({ log: [{ timestamp: '2026-03-21T09:00:00.000Z', message: 'before' }] }));
    settle(graph, over(fields));
    expect(lastWordsOf(graph.task('a') as Task)).toBe(WORDS);
    expect(graph.task('a')?.log?.[0]?.message).toBe('before');
  }
  const reported = graphOf({ id: 'a', status: 'done', assigned: 'agent-1', fence: 1 });
  settle(reported, over());
  expect(lastWordsOf(reported.task('a') as Task), 'of a task that its run ended itself').toBe(WORDS);
  expect(reported.task('a')?.status).toBe('done');
});

verifies(
  'gate.hand-in',
  'a seat that ends without its file is asked for it once, then it has failed: it is never done',
  () => {
    const seat = { hands_in: true, deliverables: ['runs/r/note.md'] } as TaskFields;
    const graph = graphOf(task(seat));
    const { silentEnd: _, ...ended } = over();
    settle(graph, ended);
    expect(graph.task('a')).toMatchObject({ status: 'open', asked_to_report: 1 });
    settle(graph, again(graph, 'agent-2'));
    expect(graph.task('a')).toMatchObject({ status: 'failed', failure_reason: 'It did not hand in runs/r/note.md' });
    const handed = graphOf(task({ ...seat, artifacts: ['runs/r/note.md'] } as TaskFields));
    settle(handed, ended, { of: 'finish', evidence: {} });
    expect(handed.task('a')?.status).toBe('done');
  },
);
