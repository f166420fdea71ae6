import { expect } from 'vitest';
import { decide } from '#core/coordinator/parts.js';
import { claimTask, doneTask, failTask, reopenTask } from '#core/graph/moves.js';
import type { GraphState } from '#core/graph/state.js';
import type { NodeFields } from '#core/graph/task.js';
import { fieldsOf } from '#core/graph/task-field.js';
import { verifies } from '../../verifies.js';
import { commit } from '../graph/graph.js';
import { apply, graphOf, NOW, type StagedAgency, snapshot } from './stage.js';

const BO = { name: 'bo' };
const facts = (more: Partial<StagedAgency> = {}): StagedAgency => ({
  agents: new Map([['ann', { human: true, capacity: 1, executor: 'email' }]]),
  verifyBelow: 0.5,
  ...more,
});
const low = (more: object = {}): NodeFields => ({
  flip_check: { evaluation: 'eval-1', score: 0.31, attempt: 1, state: 'low', ...more },
});
const doubted = (id: string, more: object = {}) => ({ id, status: 'done' as const, fence: 1, ...low(), ...more });

/** One tick, committed; answers what it decided. */
function tick(graph: GraphState, agency: StagedAgency = facts()) {
  const decisions = decide(snapshot(graph, { maxAgents: 0, completed: true, agency }), NOW);
  apply(graph, decisions);
  return decisions.map((one) => ('task' in one ? `${one.do} ${one.task}` : one.do));
}

function rescored(graph: GraphState, evaluation: string) {
  const patch = [{ id: 'x', set: low({ evaluation, attempt: graph.task('x')?.fence ?? 0 }) }];
  commit(graph, { events: [{ op: 'evaluate_record', task_id: 'x', actor: 'bo', patch }], result: undefined });
}

verifies(
  ['coord.tick.flip', 'meta.flip', 'flip.verify'],
  'a low score is looked into once, in a task of its own after the evaluation; it and the mark are one event',
  () => {
    const graph = graphOf(
      doubted('x'),
      { id: 'evaluate-x', status: 'in-progress', tags: ['evaluation'], exec: 'true', after: ['x'] },
      { id: 'later', after: ['x'] },
    );
    expect([...graph.doubted()]).toEqual(['x']);
    const decisions = decide(snapshot(graph, { maxAgents: 0, agency: facts() }), NOW);
    expect(decisions.map((one) => one.do)).toEqual(['add-task']);
    expect(decisions[0]?.events, 'nothing lies between the task and its mark').toHaveLength(1);
    apply(graph, decisions);
    expect(graph.task('.verify-flip-x')).toMatchObject({
      status: 'open',
      tags: ['evaluation'],
      exec: '"$TROUPE_BIN" evaluate run "$IN_TASK" --verify',
      environment: { IN_TASK: 'x' },
      after: ['x', 'evaluate-x'],
      created_by: 'coordinator',
    });
    expect(fieldsOf(graph.task('x'))['flip_check']).toMatchObject({ state: 'asked' });
    expect([...graph.doubted()]).toEqual([]);
    expect([...graph.candidates()], 'the evaluation has the first word').not.toContain('.verify-flip-x');
    for (let round = 0; round < 3; round++) expect(tick(graph)).toEqual([]);
    commit(graph, doneTask(graph, 'evaluate-x', { now: NOW, by: BO }));
    expect([...graph.runnable()]).toContain('.verify-flip-x');
  },
);

verifies(
  ['coord.tick.flip', 'flip.verify'],
  'nothing is looked into without a threshold, at it, of other attempts, of what is not done, of people',
  () => {
    const nobody = (task: object, agency?: StagedAgency) =>
      expect(tick(graphOf({ ...doubted('x'), ...task }), agency), JSON.stringify(task)).toEqual([]);
    nobody({}, facts({ verifyBelow: undefined }));
    nobody({}, facts({ verifyBelow: 0.31 }));
    nobody({ fence: 2 });
    nobody({ human: true });
    nobody({ agent: 'ann' });
    for (const status of ['failed', 'abandoned', 'open', 'in-progress']) nobody({ status });
    for (const state of ['asked', 'confirmed', 'rejected', 'else']) nobody(low({ state }));
    nobody({ flip_check: { state: 'low' } });
    expect(tick(graphOf(doubted('x', { status: 'pending-validation' })))).toEqual(['add-task .verify-flip-x']);
  },
);

verifies('flip.verify', 'nobody is asked under an id that was used, or that would be too long for one', () => {
  const graph = graphOf(doubted('x'), { id: '.verify-flip-x', status: 'done' });
  commit(graph, { events: [{ op: 'gc', patch: [{ id: '.verify-flip-x', del: true }] }], result: undefined });
  expect(graph.wasUsed('.verify-flip-x')).toBe(true);
  expect(tick(graph)).toEqual([]);
  const long = 'x'.repeat(100 - 'verify-flip-'.length);
  expect(tick(graphOf(doubted(long)))).toEqual([`add-task .verify-flip-${long}`]);
  expect(tick(graphOf(doubted(`${long}x`)))).toEqual([]);
});

verifies('meta.none-of-meta', 'tasks about the agency are not looked into', () => {
  const graph = graphOf(
    ...['assignment', 'evaluation', 'evolution'].map((tag) => doubted(`m-${tag}`, { tags: [tag] })),
    { id: 'x', status: 'done' },
    doubted('evaluate-x', { after: ['x'] }),
    doubted('.verify-flip-x', { after: ['x'], tags: ['evaluation'] }),
  );
  expect(tick(graph)).toEqual([]);
});

verifies(
  ['meta.flip', 'coord.tick.flip'],
  'another low score, of another attempt, is looked into again, when the last look is over',
  () => {
    const graph = graphOf(doubted('x'));
    tick(graph);
    commit(graph, claimTask(graph, '.verify-flip-x', { now: NOW, by: { name: 'agent-7' } }));
    commit(graph, reopenTask(graph, 'x', { now: NOW, by: BO }));
    expect(tick(graph)).toEqual([]);
    commit(graph, claimTask(graph, 'x', { now: NOW, by: BO }));
    commit(graph, doneTask(graph, 'x', { now: NOW, by: BO }));
    rescored(graph, 'eval-2');
    expect(tick(graph), 'somebody is at it').toEqual([]);
    commit(graph, failTask(graph, '.verify-flip-x', { now: NOW, by: BO, reason: 'no model' }));
    expect(tick(graph)).toEqual(['edit-task x']);
    expect(graph.task('.verify-flip-x')?.status).toBe('open');
    expect(fieldsOf(graph.task('x'))['flip_check']).toMatchObject({ evaluation: 'eval-2', state: 'asked' });
    for (let round = 0; round < 3; round++) expect(tick(graph)).toEqual([]);
  },
);
