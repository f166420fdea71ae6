import { expect } from 'vitest';
import type { CoordinatorDecision } from '#core/coordinator/parts.js';
import { decide } from '#core/coordinator/parts.js';
import type { StartedWorkflow } from '#core/coordinator/triggers.js';
import type { GraphState } from '#core/graph/state.js';
import type { CompiledTask } from '#core/playbooks/compiled.js';
import type { TriggeredWorkflow } from '#core/playbooks/triggered.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { verifies } from '../../verifies.js';
import { type Answer, apply, type Fields, graphOf, NOW, snapshot } from './stage.js';

const DAY = 86_400_000;
const nightly: TriggeredWorkflow = {
  ...{ id: 'nightly', base: 'nightly', since: NOW - 10 * DAY },
  trigger: { type: 'schedule', every: 'daily' },
};
const intake: TriggeredWorkflow = {
  ...{ id: 'intake', base: 'intake', since: NOW - 10 * DAY },
  trigger: { type: 'event', event: 'task-added-to-ready' },
};

const step = (run: string, node: string, after: string[] = []): CompiledTask => ({
  ...{ id: `${run}-${node}`, title: node, description: '', exec: 'true', tags: [`wf:${run}`] },
  ...(after.length === 0 ? {} : { after: after.map((one) => `${run}-${one}`) }),
  workflow: { id: 'nightly', run, node },
});
const made = (run: string): StartedWorkflow => ({
  of: 'workflow',
  run,
  tasks: [step(run, 'look'), step(run, 'tell', ['look'])],
});

interface World {
  readonly workflows?: readonly TriggeredWorkflow[];
  readonly answers?: Readonly<Record<string, Answer>>;
  readonly underWay?: readonly string[];
  readonly now?: number;
  readonly more?: Fields;
}

function tick(graph: GraphState, world: World = {}): CoordinatorDecision[] {
  const { workflows = [nightly], answers = {}, underWay = [], now = NOW, more } = world;
  const errands = { underWay: new Set(underWay), answers: new Map(Object.entries(answers)) };
  return decide(snapshot(graph, { triggers: { workflows, zone: 'UTC' }, errands, ...more }), now);
}
const wished = (decisions: readonly CoordinatorDecision[]) =>
  decisions.flatMap((decision) => (decision.do === 'make-workflow' ? [decision.wish.key] : []));
const others = (decisions: readonly CoordinatorDecision[]) =>
  decisions.map((decision) => decision.do).filter((what) => what !== 'make-workflow');

/** Plays until nothing more is wished, answering every wish at once; answers how many runs began. */
function settle(graph: GraphState, world: World = {}): number {
  const before = graph.seq;
  const asked = wished(tick(graph, world));
  const answers = Object.fromEntries(asked.map((key) => [key, made(key.split(' ').slice(1).join('-'))]));
  const decided = tick(graph, { ...world, answers, more: { maxAgents: 0 } });
  apply(graph, decided);
  return graph.seq === before ? 0 : asked.length;
}

verifies('workflow.trigger', 'what is due is asked for once; its tasks and its occasion are one commit', () => {
  const graph = graphOf();
  const key = 'workflow nightly 2026-03-21';
  expect(wished(tick(graph))).toEqual([key]);
  expect(wished(tick(graph, { underWay: [key] }))).toEqual([]);
  const decided = tick(graph, { answers: { [key]: made('nightly-2026-03-21') }, more: { maxAgents: 0 } });
  expect(others(decided)).toEqual(['run-workflow']);
  apply(graph, decided);
  expect(graph.task('nightly-2026-03-21-tell')).toMatchObject({ status: 'open', created_by: 'coordinator' });
  expect(graph.node('.trigger-nightly')).toMatchObject({
    ...{ kind: 'trigger', occasion: '2026-03-21', run: 'nightly-2026-03-21' },
    tasks: ['nightly-2026-03-21-look', 'nightly-2026-03-21-tell'],
  });
});

verifies('workflow.trigger', 'never twice for one occasion, whoever asks again and however often it is asked', () => {
  const graph = graphOf();
  expect(settle(graph)).toBe(1);
  // A life later, with the answer of an errand that was asked for before.
  const key = 'workflow nightly 2026-03-21';
  const again = tick(graph, { answers: { [key]: made('nightly-2026-03-21') }, more: { maxAgents: 0 } });
  expect(others(again)).toEqual(['drop-workflow']);
  expect(again.flatMap(({ events }) => events)).toEqual([]);
  expect(wished(tick(graph))).toEqual([]);
  // Everything of the run left the graph, and the file says something else now.
  for (const node of ['look', 'tell'])
    apply(graph, [
      {
        ...{ do: 'settle-due', reason: '' },
        events: [{ op: 'gc', patch: [{ id: `nightly-2026-03-21-${node}`, del: true }] }],
      },
    ]);
  expect(wished(tick(graph, { workflows: [{ ...nightly, base: 'other' }] }))).toEqual([]);
});

verifies(
  'workflow.trigger',
  'days that were missed are made up for once; a run that goes on holds the next one',
  () => {
    const graph = graphOf();
    expect(settle(graph)).toBe(1);
    const later = NOW + 9 * DAY;
    expect(wished(tick(graph, { now: later }))).toEqual([]);
    for (const id of ['look', 'tell'])
      apply(graph, [
        {
          ...{ do: 'settle-due', reason: '' },
          events: [{ op: 'done', patch: [{ id: `nightly-2026-03-21-${id}`, set: { status: 'done' } }] }],
        },
      ]);
    expect(wished(tick(graph, { now: later }))).toEqual(['workflow nightly 2026-03-30']);
    expect(settle(graph, { now: later })).toBe(1);
    expect(wished(tick(graph, { now: later + 60_000 }))).toEqual([]);
  },
);

verifies('workflow.trigger', 'what was before its file was written it has not missed', () => {
  const fresh = { ...nightly, since: NOW - 60_000 };
  expect(wished(tick(graphOf(), { workflows: [fresh] }))).toEqual([]);
  expect(wished(tick(graphOf(), { workflows: [fresh], now: NOW + DAY }))).toEqual(['workflow nightly 2026-03-22']);
});

verifies('workflow.trigger', 'a clock that was put back begins nothing twice, and holds nothing for years', () => {
  const graph = graphOf();
  expect(settle(graph, { now: NOW + DAY })).toBe(1);
  for (const node of graph.nodes())
    if (node.kind === 'task')
      apply(graph, [
        {
          ...{ do: 'settle-due', reason: '' },
          events: [{ op: 'done', patch: [{ id: node.id, set: { status: 'done' } }] }],
        },
      ]);
  expect(wished(tick(graph))).toEqual([]);
  expect(wished(tick(graph, { now: NOW - 400 * DAY, workflows: [{ ...nightly, since: 0 }] }))).toHaveLength(1);
});

verifies('workflow.trigger', 'a heartbeat begins again when its run is over, once in each span', () => {
  const beat: TriggeredWorkflow = { ...nightly, id: 'beat', base: 'beat', trigger: { type: 'heartbeat' } };
  const graph = graphOf();
  expect(wished(tick(graph, { workflows: [beat] }))).toEqual(['workflow beat 2026-03-21t1000']);
  expect(settle(graph, { workflows: [beat] })).toBe(1);
  const next = NOW + WORK_LIMITS.workflowHeartbeatMs;
  expect(wished(tick(graph, { workflows: [beat], now: next }))).toEqual([]);
});

verifies(
  'workflow.trigger',
  'a task that names a workflow is given to nobody before the run for it is over, and there is one such run',
  () => {
    const graph = graphOf({ id: 'build', exec: 'true', tags: ['workflow:intake'] }, { id: 'free', exec: 'true' });
    const world = { workflows: [intake] };
    const first = tick(graph, world);
    expect(wished(first)).toEqual(['workflow intake for build']);
    expect(first.flatMap((one) => (one.do === 'dispatch' ? [one.task] : []))).toEqual(['free']);
    const answers = { 'workflow intake for build': made('intake-build') };
    const decided = tick(graph, { ...world, answers, more: { maxAgents: 0 } });
    apply(graph, decided);
    expect(graph.task('build')).toMatchObject({ after: ['intake-build-tell'], workflow_run: 'intake-build' });
    expect([...graph.candidates()].sort()).toEqual(['free', 'intake-build-look']);
    expect(wished(tick(graph, world))).toEqual([]);
    for (const id of ['look', 'tell'])
      apply(graph, [
        {
          ...{ do: 'settle-due', reason: '' },
          events: [{ op: 'done', patch: [{ id: `intake-build-${id}`, set: { status: 'done' } }] }],
        },
      ]);
    const last = tick(graph, world);
    expect(wished(last)).toEqual([]);
    expect(last.flatMap((one) => (one.do === 'dispatch' ? [one.task] : [])).sort()).toEqual(['build', 'free']);
  },
);

verifies('workflow.trigger', 'one that cannot begin begins nothing, and whoever waits for it is held', () => {
  const blocked = [
    { ...nightly, blocked: { cause: 'trust' as const, text: 'Its commands are not trusted here.' } },
    { ...intake, blocked: { cause: 'other' as const, text: 'The project does not allow it.' } },
  ];
  const graph = graphOf({ id: 'build', exec: 'true', tags: ['workflow:intake'] });
  expect(tick(graph, { workflows: blocked })).toEqual([]);
  // Nobody ever waits for what is no such workflow.
  const decided = tick(graph, { workflows: [nightly], more: { paused: false } });
  expect(decided.flatMap((one) => (one.do === 'dispatch' ? [one.task] : []))).toEqual(['build']);
});

verifies(
  'workflow.trigger',
  'an errand that failed, or names that are taken, are told once and nothing is committed',
  () => {
    const key = 'workflow nightly 2026-03-21';
    const failed = tick(graphOf(), { answers: { [key]: { of: 'error', text: 'It needs a value for x.' } } });
    expect(failed).toMatchObject([
      { do: 'drop-workflow', key, refused: { workflow: 'nightly', why: 'It needs a value for x.' }, events: [] },
    ]);
    const taken = graphOf({ id: 'nightly-2026-03-21-look', status: 'done' });
    const refused = tick(taken, { answers: { [key]: made('nightly-2026-03-21') } });
    expect(refused).toMatchObject([{ do: 'drop-workflow', refused: { workflow: 'nightly' }, events: [] }]);
  },
);

verifies(
  'workflow.trigger',
  'a pause begins nothing, few are made at once, and without any nothing is looked at',
  () => {
    const many = Array.from({ length: 9 }, (_, index) => ({ ...nightly, id: `w${index}`, base: `w${index}` }));
    expect(wished(tick(graphOf(), { workflows: many, more: { paused: true } }))).toEqual([]);
    expect(wished(tick(graphOf(), { workflows: many }))).toHaveLength(WORK_LIMITS.workflowsAtOnce);
    expect(wished(tick(graphOf(), { workflows: many, underWay: ['workflow w0 2026-03-21'] }))).toEqual([
      ...['w1', 'w2', 'w3'].map((id) => `workflow ${id} 2026-03-21`),
    ]);
    expect(decide(snapshot(graphOf({ id: 'a', tags: ['workflow:intake'] })), NOW)).toEqual([]);
  },
);

verifies('workflow.trigger', 'the log says which task a workflow began for, where it began for one', () => {
  const remembered = (graph: GraphState, workflows: readonly TriggeredWorkflow[]) => {
    const [key = ''] = wished(tick(graph, { workflows }));
    const decided = tick(graph, { workflows, answers: { [key]: made('run') }, more: { maxAgents: 0 } });
    return decided.flatMap(({ events }) => events).find(({ op }) => op === 'trigger')?.detail;
  };
  expect(remembered(graphOf({ id: 'a', exec: 'true', tags: ['workflow:intake'] }), [intake])).toMatchObject({
    workflow: 'intake',
    run: 'run',
    task: 'a',
  });
  expect(remembered(graphOf(), [nightly])).toEqual({ workflow: 'nightly', run: 'run', occasion: '2026-03-21' });
});
