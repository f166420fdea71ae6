import { expect } from 'vitest';
import { missingAgent } from '#core/coordinator/agency.js';
import { spawn } from '#core/coordinator/dispatch.js';
import { decide } from '#core/coordinator/parts.js';
import { claimTask, doneTask, failTask } from '#core/graph/moves.js';
import type { GraphState } from '#core/graph/state.js';
import type { Task } from '#core/graph/task.js';
import { fieldsOf } from '#core/graph/task-field.js';
import { taskOf } from '#core/graph/task-of.js';
import { problemsOf } from '#core/insight/problems.js';
import { whyFacts } from '#core/insight/why.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { verifies } from '../../verifies.js';
import { commit } from '../graph/graph.js';
import { agencyOf, apply, type Fields, fact, graphOf, held, NOW, type StagedAgency, snapshot } from './stage.js';

const ANN = { human: true, capacity: 1, executor: 'email' };
const BOT = { human: false, capacity: 1, executor: 'codex' };
const facts = (more: Partial<StagedAgency> = {}): StagedAgency => ({
  agents: new Map([
    ['ann', ANN],
    ['bot', BOT],
  ]),
  ...more,
});

/** One tick, committed; answers what it decided. */
function tick(graph: GraphState, agency: StagedAgency | undefined, more: Fields = {}) {
  const decisions = decide(snapshot(graph, { maxAgents: 0, ...(agency ? { agency } : {}), ...more }), NOW);
  apply(graph, decisions);
  return decisions.map((one) => ('task' in one ? `${one.do} ${one.task}` : one.do));
}

verifies(
  ['coord.tick.assign', 'meta.assign'],
  'a ready task that is for nobody waits for one that says who it is for',
  () => {
    const agency = facts({ autoAssign: true });
    const graph = graphOf(
      { id: 'x' },
      { id: 'later', after: ['x'] },
      { id: 'cmd', exec: 'true' },
      { id: 'has', agent: 'bot' },
      { id: 'own', human: true },
    );
    expect(tick(graph, facts())).toEqual([]);
    expect(tick(graph, undefined)).toEqual([]);
    expect(tick(graph, { ...agency, agents: new Map() })).toEqual([]);
    expect(tick(graph, agency)).toEqual(['add-task assign-x', 'edit-task x']);
    expect(graph.task('assign-x')).toMatchObject({
      tags: ['assignment'],
      exec: '"$TROUPE_BIN" assign "$IN_TASK" --auto',
      environment: { IN_TASK: 'x' },
      created_by: 'coordinator',
    });
    expect(graph.task('x')?.after).toEqual(['assign-x']);
    expect(tick(graph, agency)).toEqual([]);
  },
);

verifies('meta.assign', 'one that failed leaves its task to run as nobody in particular, with one note', () => {
  const agency = facts({ autoAssign: true });
  const graph = graphOf({ id: 'x' });
  tick(graph, agency);
  commit(graph, failTask(graph, 'assign-x', { now: NOW, by: { name: 'bo' }, reason: 'nobody' }));
  expect(tick(graph, agency)).toEqual(['edit-task x']);
  expect(graph.task('x')?.log?.at(-1)?.message).toContain('No one was assigned: assign-x ended as failed');
  expect(tick(graph, agency)).toEqual([]);
  const decisions = decide(snapshot(graph, { agency, executor: 'claude' }), NOW);
  expect(decisions).toMatchObject([{ do: 'dispatch', task: 'x', executor: 'claude' }]);
});

verifies(
  ['coord.tick.evaluate', 'meta.evaluate'],
  'work gets a task after it that scores it; that of people does not',
  () => {
    const agency = facts({ autoEvaluate: true });
    const graph = graphOf(
      { id: 'x' },
      { id: 'cmd', exec: 'true' },
      held('busy', 'agent-1'),
      { id: 'ann', agent: 'ann' },
      { id: 'own', human: true },
      { id: 'gone', status: 'abandoned' },
      { id: 'later', after: ['x'] },
    );
    expect(tick(graph, facts())).toEqual([]);
    const runs = [fact('agent-1', 'busy')];
    expect(tick(graph, agency, { runs })).toEqual([
      'add-task evaluate-cmd',
      'add-task evaluate-x',
      'add-task evaluate-busy',
    ]);
    expect(graph.task('evaluate-x')).toMatchObject({
      tags: ['evaluation'],
      after: ['x'],
      exec: '"$TROUPE_BIN" evaluate run "$IN_TASK"',
    });
    expect(tick(graph, agency, { runs })).toEqual([]);
    // failed work is scored too: its evaluation may begin
    commit(graph, failTask(graph, 'x', { now: NOW, by: { name: 'bo' } }));
    expect([...graph.runnable()]).toContain('evaluate-x');
    // and what is tried again is scored again
    const again = graphOf({ id: 'x' }, { id: 'evaluate-x', status: 'done', tags: ['evaluation'], exec: 'true' });
    expect(tick(again, agency)).toEqual(['edit-task x', 'edit-task x']);
    expect(again.task('evaluate-x')).toMatchObject({ status: 'open', after: ['x'] });
  },
);

verifies(
  'who.assign',
  'a chat is neither assigned nor scored, and what is for somebody already is not given to another',
  () => {
    const agency = facts({ autoAssign: true, autoEvaluate: true });
    const graph = graphOf({ id: 'coordinator-1', tags: ['chat'] });
    expect(tick(graph, agency)).toEqual([]);
    const taken = graphOf({ id: 'reply', conversation: 'a:b' }, { id: 'step', member: 'Ripley' });
    expect(tick(taken, facts({ autoAssign: true, autoCreate: true }))).toEqual([]);
  },
);

verifies('who.replay', 'work that ended before scores were asked for is scored, some at each tick, and once', () => {
  const ended = Array.from({ length: TEAM_LIMITS.metaTasksAtOnce + 1 }, (_, index) => `t${index}`);
  const graph = graphOf(
    ...ended.map((id) => ({ id, status: 'done' as const })),
    { id: 'talk', status: 'done', tags: ['chat'] },
    { id: 'again', status: 'open', paused: true },
  );
  const agency = facts({ autoEvaluate: true, unscored: ['talk', 'again', 'gone', ...ended] });
  expect(tick(graph, { ...agency, unjudged: 'no model' })).toEqual([]);
  expect(tick(graph, agency)).toHaveLength(TEAM_LIMITS.metaTasksAtOnce);
  expect(tick(graph, agency)).toHaveLength(1);
  expect(tick(graph, agency)).toEqual([]);
  expect(graph.task('evaluate-t0')).toMatchObject({ tags: ['evaluation'], environment: { IN_TASK: 't0' } });
});

verifies('meta.none-of-meta', 'tasks about the agency are neither assigned nor scored', () => {
  const agency = facts({ autoAssign: true, autoEvaluate: true });
  const graph = graphOf(...['assignment', 'evaluation', 'evolution'].map((tag) => ({ id: `m-${tag}`, tags: [tag] })), {
    id: 'x',
  });
  tick(graph, agency);
  for (let round = 0; round < 3; round++) expect(tick(graph, agency)).toEqual([]);
  expect([...graph.nodes()].map(({ id }) => id).sort()).toEqual([
    'assign-x',
    'm-assignment',
    'm-evaluation',
    'm-evolution',
    'x',
  ]);
});

verifies('gate.eval-first', 'gated work waits for its score, which then may come; dependents wait with it', () => {
  const gate = { threshold: 0.7, all: false };
  const agency = facts({ autoEvaluate: true, gate });
  const graph = graphOf({ id: 'x', tags: ['eval-gate'] }, { id: 'free' }, { id: 'later', after: ['x'] });
  tick(graph, agency);
  expect(fieldsOf(graph.task('x'))['eval_gate']).toBe(0.7);
  expect(fieldsOf(graph.task('free'))['eval_gate']).toBeUndefined();
  expect(tick(graph, agency)).toEqual([]);
  commit(graph, doneTask(graph, 'x', { now: NOW, by: { name: 'bo' } }));
  commit(graph, doneTask(graph, 'free', { now: NOW, by: { name: 'bo' } }));
  expect(graph.task('x')?.status).toBe('pending-validation');
  expect(graph.task('free')?.status).toBe('done');
  expect([...graph.runnable()]).toContain('evaluate-x');
  expect([...graph.candidates()]).not.toContain('later');
  const all = graphOf({ id: 'y' });
  tick(all, facts({ autoEvaluate: true, gate: { threshold: 0.5, all: true } }));
  expect(fieldsOf(all.task('y'))['eval_gate']).toBe(0.5);
});

verifies('agency.rate', 'no agent has more at once than it can', () => {
  const graph = graphOf(
    { id: 'a', agent: 'bot' },
    { id: 'b', agent: 'bot' },
    { id: 'c' },
    { id: 'd', agent: 'ann' },
    held('h', 'agent-1', { agent: 'bot' }),
  );
  const started = (capacity: number, runs = [fact('agent-1', 'h')]) =>
    decide(
      snapshot(graph, {
        agency: facts({
          agents: new Map([
            ['ann', ANN],
            ['bot', { ...BOT, capacity }],
          ]),
        }),
        executor: 'claude',
        runs,
      }),
      NOW,
    ).flatMap((one) => (one.do === 'dispatch' ? [`${one.task} ${one.executor}`] : []));
  expect(started(1)).toEqual(['c claude']);
  expect(started(2)).toEqual(['a codex', 'c claude']);
  expect(started(3)).toEqual(['a codex', 'b codex', 'c claude']);
});

verifies(
  ['meta.evaluate', 'gate.eval-first'],
  'without a model nothing is made that could only fail; what is gated waits, and is scored once a model is there',
  () => {
    const gate = { threshold: 0.7, all: false };
    const none = facts({ autoEvaluate: true, unjudged: 'There is no key.', gate });
    const graph = graphOf(
      { id: 'x', tags: ['eval-gate'] },
      { id: 'plain' },
      { id: 'own', human: true, tags: ['eval-gate'] },
    );
    expect(tick(graph, none)).toEqual(['edit-task x']);
    expect(tick(graph, none)).toEqual([]);
    for (const id of ['x', 'plain']) commit(graph, doneTask(graph, id, { now: NOW, by: { name: 'bo' } }));
    expect([graph.task('x')?.status, graph.task('plain')?.status]).toEqual(['pending-validation', 'done']);
    const there = facts({ autoEvaluate: true, judgeIsNew: true, gate });
    expect(tick(graph, there)).toEqual(['add-task evaluate-x']);
    expect(graph.task('evaluate-x')).not.toHaveProperty('after');
    expect([...graph.runnable()]).toEqual(['evaluate-x']);
    expect(tick(graph, there)).toEqual([]);
  },
);

verifies(
  'meta.evaluate',
  'what was scored before and tried again without a model is scored again when there is one',
  () => {
    const gate = { threshold: 0.7, all: true };
    const before = { status: 'done', tags: ['evaluation'], exec: 'true', after: ['x'] } as const;
    const graph = graphOf(
      { id: 'x' },
      { id: 'evaluate-x', ...before, completed_at: new Date(NOW - 60_000).toISOString() },
    );
    expect(tick(graph, facts({ autoEvaluate: true, unjudged: 'none', gate }))).toEqual(['edit-task x']);
    commit(graph, claimTask(graph, 'x', { now: NOW, by: { name: 'bo' } }));
    commit(graph, doneTask(graph, 'x', { now: NOW, by: { name: 'bo' } }));
    expect(tick(graph, facts({ autoEvaluate: true, gate }))).toEqual([]);
    expect(tick(graph, facts({ autoEvaluate: true, judgeIsNew: true, gate }))).toEqual(['edit-task x']);
    expect(graph.task('evaluate-x')?.status).toBe('open');
    expect([...graph.runnable()]).toEqual(['evaluate-x']);
    // one that was scored since is not asked about again, however often the service starts
    const scored = graphOf(
      { id: 'x', status: 'pending-validation', eval_gate: 0.7, started_at: new Date(NOW - 60_000).toISOString() },
      { id: 'evaluate-x', ...before, completed_at: new Date(NOW).toISOString() },
    );
    expect(tick(scored, facts({ autoEvaluate: true, judgeIsNew: true, gate }))).toEqual([]);
  },
);

verifies('hold.assign', 'a task whose agent is not there waits, and says so; it does not run as nobody', () => {
  const graph = graphOf(
    { id: 'x', agent: 'gone' },
    { id: 'y', agent: 'bot' },
    { id: 'c', agent: 'gone', exec: 'true' },
  );
  for (const agency of [facts(), facts({ agents: new Map() }), undefined]) {
    const started = decide(snapshot(graph, { ...(agency ? { agency } : {}), executor: 'claude' }), NOW);
    const tasks = started.flatMap((one) => (one.do === 'dispatch' ? [one.task] : []));
    expect(tasks).toEqual(agency?.agents.has('bot') ? ['c', 'y'] : ['c']);
  }
  const spawned = () => spawn(snapshot(graph, { agency: facts(), executor: 'claude' }), { task: 'x' }, NOW);
  expect(spawned).toThrow(expect.objectContaining({ code: 'not_ready' }));
  const coordination = {
    ...{ running: true, paused: false, alive: 0, most: 4, executor: 'claude', waitsForTrust: () => false },
    missingAgent: (task: Task) => missingAgent(task, agencyOf(facts())),
  };
  expect(whyFacts(graph, taskOf(graph, 'x'), NOW, coordination)[0]?.text).toContain('which does not exist');
  const world = { coordination, live: new Set<string>(), stalled: new Map(), unmerged: [], awaited: [], toLand: 0 };
  const problems = problemsOf(graph, world, NOW).filter(({ kind }) => kind === 'executor');
  expect(problems.map(({ task, command }) => ({ task, command }))).toEqual([
    { task: 'x', command: 'troupe assign x --auto' },
  ]);
});
