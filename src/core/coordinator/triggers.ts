import type { EventDraft } from '#core/graph/event.js';
import { readiness } from '#core/graph/ready.js';
import type { CompiledTask } from '#core/playbooks/compiled.js';
import { addCompiled } from '#core/playbooks/compiled.js';
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
} from '#core/playbooks/triggered.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { compareText } from '#kernel/order.js';
import { type ErrandFailure, ErrandKind } from './errand.js';
import type { BaseDecision, Part, Tick } from './tick.js';

/** A run of a workflow that is due. */
export interface WorkflowStartRequest {
  /** Key of the errand that compiles its tasks. */
  readonly key: string;
  readonly workflow: string;
  readonly occasion: string;
  /** Name of the run, unless it is taken. */
  readonly run: string;
  /** The task that waits for the run. */
  readonly task?: string;
}

const ACTOR = 'coordinator';

export interface TriggerFacts {
  /** Sorted by id. */
  readonly workflows: readonly TriggeredWorkflow[];
  /** Time zone that determines when days begin. */
  readonly zone: string;
}

export interface WithTriggers {
  /** Workflows that start without a person. */
  readonly triggers: TriggerFacts;
}

/** The compiled tasks of a run that is about to start. */
export interface StartedWorkflow {
  readonly of: 'workflow';
  readonly run: string;
  readonly tasks: readonly CompiledTask[];
}

export const WORKFLOW = new ErrandKind<StartedWorkflow>('workflow');

type TriggerDecision = BaseDecision &
  (
    | /** Compiles the tasks of a run; a later pass receives them. */ {
        readonly do: 'make-workflow';
        readonly wish: WorkflowStartRequest;
      }
    | /** Starts a run of a workflow. */ {
        readonly do: 'run-workflow';
        readonly key: string;
        readonly workflow: string;
      }
    | /** The run is not started; with `refused`, the workflow is blocked for a while. */ {
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
 * Phase 2.95: starts workflows without a person. Compiling their tasks is an errand; the tick that receives the result
 * commits the tasks together with the occasion, which prevents a second start. Costs nothing if there is no such
 * workflow.
 */
function triggers(tick: TriggerTick): void {
  const { triggers: facts, errands, paused } = tick.facts;
  const keys = new Set<string>();
  const prefix = WORKFLOW.key('');
  let free = WORK_LIMITS.workflowsAtOnce - [...errands.underWay].filter((key) => key.startsWith(prefix)).length;
  for (const wish of dueStarts(tick, facts)) {
    keys.add(wish.key);
    const answer = WORKFLOW.answer(errands, wish.key);
    if (answer) settle(tick, wish, answer);
    else if (!paused && free > 0 && !errands.underWay.has(wish.key)) {
      free--;
      const { workflow } = wish;
      tick.want({ do: 'make-workflow', wish, reason: `${workflow} starts: ${wish.occasion}`, events: [] });
    }
  }
  // The reason for the run is gone: its task is already done, or the workflow was deleted.
  for (const { key } of WORKFLOW.answers(errands))
    if (!keys.has(key)) tick.want({ do: 'drop-workflow', key, reason: 'Nothing waits for this run', events: [] });
}

function* dueStarts(tick: TriggerTick, { workflows, zone }: TriggerFacts): Iterable<WorkflowStartRequest> {
  const { graph, now } = tick;
  for (const workflow of workflows) {
    const { id, trigger, blocked } = workflow;
    if (trigger.type === 'event' || blocked !== undefined) continue;
    const occasion = dueOccasion(graph, workflow, now, zone);
    const last = lastStart(graph, id);
    if (occasion === undefined || (last && !isOver(graph, last))) continue;
    yield startRequestFor(workflow, occasion);
  }
  const awaited = new Map(workflows.filter(({ trigger }) => trigger.type === 'event').map((one) => [one.id, one]));
  if (awaited.size > 0) yield* forTasks(tick, awaited);
}

/** Runs for candidates that name a workflow. Visits each candidate once; a waiting task is not started meanwhile. */
function* forTasks(tick: TriggerTick, awaited: ReadonlyMap<string, TriggeredWorkflow>): Iterable<WorkflowStartRequest> {
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
  for (const { task, workflow } of queue) yield startRequestFor(workflow, `for ${task}`, task);
}

function startRequestFor(workflow: TriggeredWorkflow, occasion: string, task?: string): WorkflowStartRequest {
  const run = runName(workflow, occasion, task);
  const key = WORKFLOW.key(workflow.id, occasion);
  return { key, workflow: workflow.id, occasion, run, ...(task === undefined ? {} : { task }) };
}

function settle(tick: TriggerTick, wish: WorkflowStartRequest, answer: StartedWorkflow | ErrandFailure): void {
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

/** Adds the tasks, the occasion, and the new dependencies of the waiting task in one commit. */
function begin(tick: TriggerTick, wish: WorkflowStartRequest, { run, tasks }: StartedWorkflow): readonly EventDraft[] {
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
