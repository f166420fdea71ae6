import type { EventDraft } from '#core/graph/event.js';
import { readiness } from '#core/graph/ready.js';
import type { CompiledTask } from '#core/workflows/compiled.js';
import { addCompiled } from '#core/workflows/compiled.js';
import {
  awaitedWorkflow,
  dueOccasion,
  endsOf,
  isOver,
  lastStart,
  RUN_FIELD,
  runName,
  startNode,
  type TriggeredWorkflow,
} from '#core/workflows/triggered.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { compareText } from '#kernel/order.js';
import { type ErrandFailure, ErrandKind } from './errand.js';
import type { BaseDecision, Part, Tick } from './tick.js';

/** A run of a workflow that is to begin. */
export interface WorkflowWish {
  /** By which the errand that makes its tasks is known. */
  readonly key: string;
  readonly workflow: string;
  readonly occasion: string;
  /** What the run is called, where nothing else is called so. */
  readonly run: string;
  /** The task that waits for it. */
  readonly task?: string;
}

const ACTOR = 'coordinator';

export interface TriggerFacts {
  /** By id. */
  readonly workflows: readonly TriggeredWorkflow[];
  /** Where days begin: the name of a time zone. */
  readonly zone: string;
}

export interface WithTriggers {
  /** Workflows that begin by themselves. */
  readonly triggers: TriggerFacts;
}

/** The tasks of a run that is to begin. */
export interface StartedWorkflow {
  readonly of: 'workflow';
  readonly run: string;
  readonly tasks: readonly CompiledTask[];
}

export const WORKFLOW = new ErrandKind<StartedWorkflow>('workflow');

type TriggerDecision = BaseDecision &
  (
    | /** The tasks of a run are to be made; a later round hears of it. */ {
        readonly do: 'make-workflow';
        readonly wish: WorkflowWish;
      }
    | /** A workflow begins by itself. */ {
        readonly do: 'run-workflow';
        readonly key: string;
        readonly workflow: string;
      }
    | /** It is not begun after all; `refused`: nor soon. */ {
        readonly do: 'drop-workflow';
        readonly key: string;
        readonly refused?: { readonly workflow: string; readonly why: string };
      }
  );

type TriggerTick = Tick<WithTriggers, TriggerDecision>;

export const workflows: Part<WithTriggers, TriggerDecision> = {
  none: { triggers: { workflows: [], zone: 'UTC' } },
  decide: triggers,
};

/**
 * Phase 2.95: workflows that begin by themselves. Making their tasks is an errand; the tick that hears of it commits them together
 * with the occasion, so that none begins twice. Costs nothing where there is no such workflow.
 */
function triggers(tick: TriggerTick): void {
  const { triggers: facts, errands, paused } = tick.facts;
  const keys = new Set<string>();
  const prefix = WORKFLOW.key('');
  let free = LIMITS.workflowsAtOnce - [...errands.underWay].filter((key) => key.startsWith(prefix)).length;
  for (const wish of wishes(tick, facts)) {
    keys.add(wish.key);
    const answer = WORKFLOW.answer(errands, wish.key);
    if (answer) settle(tick, wish, answer);
    else if (!paused && free > 0 && !errands.underWay.has(wish.key)) {
      free--;
      const { workflow } = wish;
      tick.want({ do: 'make-workflow', wish, reason: `${workflow} starts: ${wish.occasion}`, events: [] });
    }
  }
  // Made for something that is no more: the task is done already, the workflow is gone.
  for (const { key } of WORKFLOW.answers(errands))
    if (!keys.has(key)) tick.want({ do: 'drop-workflow', key, reason: 'Nothing waits for this run', events: [] });
}

function* wishes(tick: TriggerTick, { workflows, zone }: TriggerFacts): Iterable<WorkflowWish> {
  const { graph, now } = tick;
  for (const workflow of workflows) {
    const { id, trigger, blocked } = workflow;
    if (trigger.type === 'event' || blocked !== undefined) continue;
    const occasion = dueOccasion(graph, workflow, now, zone);
    const last = lastStart(graph, id);
    if (occasion === undefined || (last && !isOver(graph, last))) continue;
    yield wishFor(workflow, occasion);
  }
  const awaited = new Map(workflows.filter(({ trigger }) => trigger.type === 'event').map((one) => [one.id, one]));
  if (awaited.size > 0) yield* forTasks(tick, awaited);
}

/** One look at each candidate, as when they are dispatched. Whoever waits is given to nobody meanwhile. */
function* forTasks(tick: TriggerTick, awaited: ReadonlyMap<string, TriggeredWorkflow>): Iterable<WorkflowWish> {
  const { graph, now } = tick;
  const ids = new Set(awaited.keys());
  const queue: { task: string; since: number; workflow: TriggeredWorkflow }[] = [];
  for (const id of graph.candidates()) {
    const task = graph.task(id);
    const workflow = task && awaited.get(awaitedWorkflow(task, ids) ?? '');
    if (!workflow || !readiness(graph, id, now).ready) continue;
    tick.awaitingWorkflow.add(id);
    if (workflow.blocked === undefined) queue.push({ task: id, since: graph.readyAt(id) ?? 0, workflow });
  }
  queue.sort((left, right) => left.since - right.since || compareText(left.task, right.task));
  for (const { task, workflow } of queue) yield wishFor(workflow, `for ${task}`, task);
}

function wishFor(workflow: TriggeredWorkflow, occasion: string, task?: string): WorkflowWish {
  const run = runName(workflow, occasion, task);
  const key = WORKFLOW.key(workflow.id, occasion);
  return { key, workflow: workflow.id, occasion, run, ...(task === undefined ? {} : { task }) };
}

function settle(tick: TriggerTick, wish: WorkflowWish, answer: StartedWorkflow | ErrandFailure): void {
  const { workflow, key } = wish;
  const refuse = (why: string) =>
    tick.want({ do: 'drop-workflow', key, refused: { workflow, why }, reason: why, events: [] });
  if (answer.of !== 'workflow') {
    refuse(answer.text);
    return;
  }
  try {
    const events = begin(tick, wish, answer);
    const { run } = answer;
    tick.want({ do: 'run-workflow', key, workflow, reason: `${run} starts: ${wish.occasion}`, events });
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    refuse(error.message);
  }
}

/** The tasks, the occasion, and what the waiting task comes after now: one commit. */
function begin(tick: TriggerTick, wish: WorkflowWish, { run, tasks }: StartedWorkflow): readonly EventDraft[] {
  const { graph, now } = tick;
  const { workflow, occasion, task } = wish;
  const added = addCompiled(graph, tasks, { now, actor: ACTOR });
  const node = startNode(workflow, { occasion, at: now, run, tasks: tasks.map(({ id }) => id) });
  const remembered: EventDraft = {
    op: 'trigger',
    actor: ACTOR,
    detail: { workflow, occasion, run, ...(task === undefined ? {} : { task }) },
    patch: [{ id: node.id, put: node }],
  };
  return tick.act({ events: [...added.events, remembered, ...waiting(tick, task, run, tasks)], result: undefined });
}

function waiting(
  { graph, now }: TriggerTick,
  id: string | undefined,
  run: string,
  tasks: StartedWorkflow['tasks'],
): EventDraft[] {
  const task = id === undefined ? undefined : graph.task(id);
  if (!task) return [];
  const set = { after: [...(task.after ?? []), ...endsOf(tasks)], [RUN_FIELD]: run };
  const log = [{ timestamp: timestamp(now), actor: ACTOR, message: `It waits for ${run}` }];
  const patch = { id: task.id, set, log_at: task.log?.length ?? 0, log };
  return [{ op: 'edit', task_id: task.id, actor: ACTOR, patch: [patch] }];
}
