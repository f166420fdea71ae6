import { expect } from 'vitest';
import { readiness } from '#core/graph/ready.js';
import { UNREPORTED } from '#core/graph/unreported.js';
import { type ActFacts, actsAgainst, actsOn, checkResultOf } from '#core/insight/acts.js';
import { verifies } from '../../verifies.js';
import { graphOf, NOW, type TaskFields } from '../graph/graph.js';

/** Acts of ann on a task with these fields. */
function acts(fields: TaskFields, ...others: (TaskFields & { id: string })[]) {
  return actsWhile({}, fields, ...others);
}

const STANDING = { ready: true, live: false, watched: true } as const;

/** The same, if this is known of its run. */
function actsWhile(standing: Partial<ActFacts>, fields: TaskFields, ...others: (TaskFields & { id: string })[]) {
  const graph = graphOf({ id: 'a', ...fields }, ...others);
  const task = graph.task('a');
  return task === undefined
    ? []
    : actsOn(graph, task, { ...STANDING, ready: readiness(graph, 'a', NOW).ready, ...standing }, 'ann');
}
const asks = { mode: 'all', since: '2026-03-01T09:00:00Z', conditions: [{ type: 'human-input' }] } as const;
const timer = { mode: 'all', since: '2026-03-01T09:00:00Z', conditions: [{ type: 'timer' }] } as never;

verifies('web.now.acts', 'only what would be accepted now is offered, the most useful first', () => {
  const review = { status: 'pending-validation', fence: 1, assigned: 'agent-1' } as const;
  expect(acts(review)).toEqual(['approve', 'reject']);
  expect(acts({ ...review, assigned: 'ann' })).toEqual([]); // somebody else reviews one's own work
  expect(acts({ ...review, accepted: { by: 'bob', at: '2026-03-01T09:00:00Z', fence: 1 } })).toEqual(['approve']);
  expect(acts({ ...review, unmerged: true, conflict_branch: 'wg/a/1' })).toEqual(['reject', 'approve']);
  const silent = { ...review, failure_reason: UNREPORTED };
  expect(acts(silent)).toEqual(['approve', 'reject']);
  expect(acts({ ...silent, last_run: { run: 'agent-1', iteration: 0 } })).toEqual(['answer', 'approve', 'reject']);

  expect(acts({ status: 'failed' })).toEqual(['retry']);
  expect(acts({ status: 'failed', retry_count: 2, max_retries: 1 })).toEqual(['reopen']);
  const missing = { status: 'failed', misses: { task: 'b', fence: 1 } } as const;
  expect(acts(missing, { id: 'b', status: 'done', fence: 1 })).toEqual([]); // b has to submit its file first
  expect(acts({ status: 'blocked' })).toEqual(['reopen']);
  expect(acts({ status: 'waiting', wait_condition: asks })).toEqual(['answer']);
  expect(acts({ status: 'waiting', wait_condition: timer })).toEqual([]);

  expect(acts({ human: true })).toEqual(['claim']);
  expect(acts({ human: true, conversation: 'c-1' })).toEqual(['answer']);
  expect(acts({ human: true, after: ['b'] }, { id: 'b' })).toEqual([]);
  expect(acts({})).toEqual([]);
  const held = { status: 'in-progress', assigned: 'agent-7' } as const;
  expect(actsWhile({ live: true }, held)).toEqual(['stop']);
  expect(actsWhile({ live: 'finishing' }, held)).toEqual([]); // its result is being recorded
  expect(actsWhile({ live: false }, held)).toEqual([]); // the coordinator settles it
  expect(actsWhile({ live: false, watched: false }, held)).toEqual(['unclaim']);
  expect(acts({ status: 'in-progress', assigned: 'bob' })).toEqual(['unclaim']);
  expect(acts({ status: 'done' })).toEqual([]);
});

verifies('web.now.acts', 'what a formation, a proposal or an edit by hand decides has no act but its command', () => {
  const gate = { formation_gate: { run: 'crew-1', command: 'go' } };
  for (const fields of [gate, { unverified_edit: { fields: {} } }])
    for (const status of ['failed', 'blocked', 'pending-validation'] as const)
      expect(acts({ status, ...fields })).toEqual([]);
  const graph = graphOf({ id: 'evolve-review-p1', human: true, tags: ['evolution'] });
  const task = graph.task('evolve-review-p1');
  expect(task && actsOn(graph, task, STANDING, 'ann')).toEqual([]);
});

verifies(
  'web.now.acts',
  'of the problems, a paused task is resumed, one that waits is woken, a stalled one released',
  () => {
    const task = (fields: TaskFields) => graphOf({ id: 'a', ...fields }).task('a');
    expect(actsAgainst('parked', task({ paused: true }))).toEqual(['resume']);
    expect(actsAgainst('parked', task({ status: 'waiting', wait_condition: timer }))).toEqual(['wake']);
    expect(actsAgainst('stalled', task({ status: 'in-progress' }))).toEqual(['unclaim']);
    expect(actsAgainst('unmerged', task({}))).toEqual([]);
    expect(actsAgainst('parked', undefined)).toEqual([]);
  },
);

verifies('web.now.acts', 'how the check ended is said in a few words; one that did not finish has not passed', () => {
  const result = (fields: TaskFields) => {
    const task = graphOf({ id: 'a', ...fields }).task('a');
    return task && checkResultOf(task);
  };
  const ended = (evidence: object) => result({ evidence: { verify_cmd: 'npm test', ...evidence } });
  expect(ended({ exit: 0, ms: 3_200 })).toEqual({ command: 'npm test', passed: true, text: 'passed in 3s' });
  expect(ended({ exit: 0 })).toEqual({ command: 'npm test', passed: true, text: 'passed' });
  expect(ended({ exit: 2, ms: 61_000 })).toEqual({ command: 'npm test', passed: false, text: 'exit 2 after 1m 1s' });
  expect(ended({ exit: 2 })).toEqual({ command: 'npm test', passed: false, text: 'exit 2' });
  expect(ended({ exit: 0, unchecked: 'cut-off' })).toEqual({ command: 'npm test', passed: false, text: 'cut off' });
  expect(ended({ unchecked: 'skipped' })).toEqual({ command: 'npm test', passed: false, text: 'not run' });
  expect(result({ verify_cmd: 'make' })).toEqual({ command: 'make', passed: false, text: 'not run' });
  expect(result({})).toBeUndefined();
});
