import { expect, test } from 'vitest';
import { submitTask } from '#core/graph/deliverable.js';
import { fieldsOf } from '#core/graph/task-field.js';
import { taskOf } from '#core/graph/task-of.js';
import { attemptReport, holdUnmerged, reportTask } from '#core/graph/unmerged.js';
import {
  answerTask,
  askToReport,
  awaitsReport,
  isSessionTurn,
  isTurn,
  isUnreported,
  reviewUnreported,
  UNREPORTED,
  unreported,
} from '#core/graph/unreported.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { ann, codeOf, commit, graphOf, NOW, type TaskFields } from './graph.js';

const options = { now: NOW, by: ann };
const RUN = { name: 'agent-1', taskId: 'a', fence: 2 };
const held = (more: TaskFields = {}) =>
  graphOf({ id: 'a', status: 'in-progress', assigned: 'agent-1', fence: 2, ...more });

test('a report is kept once under its claim, and means nothing under a later one', () => {
  const graph = held();
  const report = (converged?: boolean) => reportTask(graph, 'a', { now: NOW, by: RUN, evidence: {}, converged });
  expect(commit(graph, report(true))).toEqual({
    ...{ id: 'a', status: 'in-progress', changed: true },
    warnings: ['a is done when this run has ended and its work is merged into wg/integration'],
  });
  expect(fieldsOf(taskOf(graph, 'a'))['reported']).toEqual({
    at: '2026-03-21T10:00:00.000Z',
    fence: 2,
    converged: true,
  });
  expect(attemptReport(graph.task('a'))).toEqual({ at: NOW, converged: true });
  expect(report()).toEqual({ events: [], result: { id: 'a', status: 'in-progress', changed: false, warnings: [] } });
  expect(codeOf(() => reportTask(graph, 'a', { ...options, by: { ...RUN, fence: 1 }, evidence: {} }))).toBe(
    'stale_attempt',
  );
  const plain = held();
  commit(plain, reportTask(plain, 'a', { now: NOW, by: RUN, evidence: {} }));
  expect(attemptReport(plain.task('a'))).toEqual({ at: NOW, converged: false });
  const reported = { at: '2026-03-21T10:00:00.000Z', fence: 2 };
  for (const odd of [
    { fence: 3, reported },
    { status: 'open', reported },
    { reported: 'x' },
    { reported: { at: 7, fence: 2 } },
    {},
  ])
    expect(attemptReport(held(odd as TaskFields).task('a')), JSON.stringify(odd)).toBeUndefined();
  expect(attemptReport(undefined)).toBeUndefined();
});

test('work that cannot be merged waits with the reason; again with the same one it is not told twice', () => {
  const graph = held({ reported: { at: '2026-03-21T10:00:00.000Z', fence: 2, converged: true } });
  const hold = (reason: string, conflict?: string) =>
    commit(graph, holdUnmerged(graph, 'a', { ...options, reason, conflict, detail: { x: 1 } }));
  expect(hold('f does not fit', 'wg/a/2')).toMatchObject({
    status: 'pending-validation',
    warnings: ['f does not fit'],
  });
  expect(graph.task('a')).toMatchObject({
    ...{ status: 'pending-validation', unmerged: true, conflict_branch: 'wg/a/2', failure_reason: 'f does not fit' },
    ...{ assigned: 'agent-1', converge_on_done: true },
  });
  expect(graph.task('a')).not.toHaveProperty('reported');
  hold('f does not fit');
  hold('g does not fit');
  expect(graph.task('a')?.log?.map(({ message }) => message)).toEqual(['f does not fit', 'g does not fit']);
  const nobodys = graphOf({ id: 'a' });
  commit(nobodys, holdUnmerged(nobodys, 'a', { ...options, reason: 'no', conflict: undefined }));
  expect(nobodys.task('a')).toMatchObject({ assigned: 'ann' });
  expect(nobodys.task('a')).not.toHaveProperty('converge_on_done');
});

test('a run that reported nothing is asked once, then a person looks', () => {
  const graph = held({ started_at: 't', wait_condition: { conditions: [] } as never });
  expect(commit(graph, askToReport(graph, 'a', options))).toMatchObject({ status: 'open' });
  expect(fieldsOf(taskOf(graph, 'a'))).toMatchObject({ status: 'open', asked_to_report: 2 });
  for (const field of ['assigned', 'started_at', 'wait_condition']) expect(graph.task('a')).not.toHaveProperty(field);
  expect([awaitsReport(taskOf(graph, 'a')), awaitsReport(taskOf(held(), 'a'))]).toEqual([true, false]);
  const silent = held();
  commit(silent, reviewUnreported(silent, 'a', { ...options, words: ' I am \n done ' }));
  expect(silent.task('a')).toMatchObject({ status: 'pending-validation', assigned: 'agent-1' });
  expect(silent.task('a')?.failure_reason).toMatch(/ Its last words: .*I am done/);
  expect(isUnreported(taskOf(silent, 'a'))).toBe(true);
  const free = graphOf({ id: 'a' });
  commit(free, reviewUnreported(free, 'a', { ...options, words: undefined }));
  expect(free.task('a')).toMatchObject({ assigned: 'ann', failure_reason: UNREPORTED });
  expect(codeOf(() => askToReport(held(), 'a', { ...options, by: { ...RUN, fence: 1 } }))).toBe('stale_attempt');
  expect(unreported('x'.repeat(9_999)).length).toBeLessThanOrEqual(
    UNREPORTED.length + 20 + TEAM_LIMITS.executorReasonCharacters,
  );
});

test('an answer lets the last run go on, and changes nothing where a message is enough', () => {
  const asked = {
    status: 'pending-validation' as const,
    failure_reason: `${UNREPORTED} Its last words: ?`,
    assigned: 'agent-1',
    fence: 2,
  };
  const graph = graphOf({ id: 'a', ...asked, last_run: { run: 'agent-1', iteration: 0 } });
  expect(commit(graph, answerTask(graph, 'a', options))).toMatchObject({ status: 'open' });
  expect(fieldsOf(taskOf(graph, 'a'))).toMatchObject({
    status: 'open',
    last_run: { run: 'agent-1', iteration: 0, goes_on: 2 },
  });
  for (const field of ['assigned', 'failure_reason']) expect(graph.task('a')).not.toHaveProperty(field);
  for (const status of ['waiting', 'in-progress', 'open'] as const)
    expect(answerTask(graphOf({ id: 'a', status }), 'a', options)).toMatchObject({ events: [], result: { status } });
  for (const odd of [
    { status: 'done' },
    { ...asked, failure_reason: 'other', last_run: { run: 'agent-1', iteration: 0 } },
    asked,
  ])
    expect(codeOf(() => answerTask(graphOf({ id: 'a', ...(odd as TaskFields) }), 'a', options))).toBe('wrong_status');
});

test('turns and sessions of a team are known by their ids', () => {
  const of = (id: string, team?: string) => taskOf(graphOf({ id, ...(team === undefined ? {} : { team }) }), id);
  expect([isTurn(of('.turn-x', 't')), isTurn(of('.turn-x')), isTurn(of('turn-x', 't'))]).toEqual([true, false, false]);
  expect([
    isSessionTurn(of('.session-x', 't')),
    isSessionTurn(of('.session-x')),
    isSessionTurn(of('.turn-x', 't')),
  ]).toEqual([...[true, false, false]]);
});

test('work of a team is handed in under the claim that stands, with a summary that has a bound', () => {
  const team = { team: 'crew', verify: 'read' };
  const text = { artifact: 'x', title: 'T', sha256: 'f', summary: 'S' };
  const submit = (graph: ReturnType<typeof held>, by: object, more: object = {}) =>
    submitTask(graph, 'a', { ...text, ...more }, { now: NOW, by: { ...RUN, ...by }, evidence: {} });
  const graph = held({ ...team, review_feedback: 'redo' });
  commit(graph, submit(graph, {}));
  expect(graph.task('a')).toMatchObject({ status: 'pending-validation', deliverable: { ...text, fence: 2 } });
  expect(graph.task('a')).not.toHaveProperty('review_feedback');
  expect(submit(graph, {})).toMatchObject({ events: [], result: { changed: false, status: 'pending-validation' } });
  expect(codeOf(() => submit(held(), {}))).toBe('bad_input');
  expect(codeOf(() => submit(held(team), { taskId: 'b' }))).toBe('not_assignee');
  expect(codeOf(() => submit(held(team), { fence: 1 }))).toBe('stale_attempt');
  expect(codeOf(() => submit(held({ ...team, assigned: 'agent-2' }), {}))).toBe('stale_attempt');
  expect(codeOf(() => submit(held({ ...team, status: 'waiting' }), {}))).toBe('wrong_status');
  const person = (more: TaskFields) => () =>
    submitTask(held({ ...team, ...more }), 'a', text, { now: NOW, by: ann, evidence: {} });
  expect(codeOf(person({}))).toBe('not_assignee');
  expect(person({ assigned: undefined } as never)).toThrow(
    expect.objectContaining({ hint: expect.stringContaining('troupe claim a --actor ann') }),
  );
  expect(codeOf(person({ assigned: 'ann' }))).toBe('none');
  expect(codeOf(() => submit(held(team), {}, { summary: 'x'.repeat(1_000_000) }))).not.toBe('none');
});
