import type { ErrandAnswer, StartedWorkflow, TriggerFacts } from '#core/coordinator/snapshot.js';
import type { Tick } from '#core/coordinator/tick.js';
import type { WorkflowWish } from '#core/coordinator/workflow-wish.js';
import { addCompiled } from '#core/formations/add-compiled.js';
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
} from '#core/formations/triggered.js';
import type { EventDraft } from '#core/graph/event.js';
import { readiness } from '#core/graph/ready.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';

const KEY = 'workflow ';
const ACTOR = 'coordinator';

/**
 * Phase 2.95: workflows that begin by themselves. Making their tasks is an errand; the tick that hears of it commits them together
 * with the occasion, so that none begins twice. Costs nothing where there is no such workflow.
 */
export function triggers(tick: Tick): void {
  const { triggers: facts, errands, paused } = tick.snapshot;
  if (facts === undefined || errands === undefined) return;
  const wished = new Set<string>();
  let free = LIMITS.workflowsAtOnce - [...errands.underWay].filter((key) => key.startsWith(KEY)).length;
  for (const wish of wishes(tick, facts)) {
    wished.add(wish.key);
    const answer = errands.answers.get(wish.key);
    if (answer) settle(tick, wish, answer);
    else if (!paused && free > 0 && !errands.underWay.has(wish.key)) {
      free--;
      const { workflow } = wish;
      tick.decisions.push({ do: 'make-workflow', wish, reason: `${workflow} begins: ${wish.occasion}`, events: [] });
    }
  }
  // Made for something that is no more: the task is done already, the workflow is gone.
  for (const key of errands.answers.keys())
    if (key.startsWith(KEY) && !wished.has(key))
      tick.decisions.push({ do: 'drop-workflow', key, reason: 'Nobody waits for this run', events: [] });
}

function* wishes(tick: Tick, { workflows, zone }: TriggerFacts): Iterable<WorkflowWish> {
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
function* forTasks(tick: Tick, awaited: ReadonlyMap<string, TriggeredWorkflow>): Iterable<WorkflowWish> {
  const { graph, now } = tick;
  const known = new Set(awaited.keys());
  const found: { task: string; since: number; workflow: TriggeredWorkflow }[] = [];
  for (const id of graph.candidates()) {
    const task = graph.task(id);
    const workflow = task && awaited.get(awaitedWorkflow(task, known) ?? '');
    if (!workflow || !readiness(graph, id, now).ready) continue;
    tick.held.add(id);
    if (workflow.blocked === undefined) found.push({ task: id, since: graph.readyAt(id) ?? 0, workflow });
  }
  found.sort((left, right) => left.since - right.since || (left.task < right.task ? -1 : 1));
  for (const { task, workflow } of found) yield wishFor(workflow, `for ${task}`, task);
}

function wishFor(workflow: TriggeredWorkflow, occasion: string, task?: string): WorkflowWish {
  const run = runName(workflow, occasion, task);
  const key = `${KEY}${workflow.id} ${occasion}`;
  return { key, workflow: workflow.id, occasion, run, ...(task === undefined ? {} : { task }) };
}

function settle(tick: Tick, wish: WorkflowWish, answer: ErrandAnswer): void {
  const { workflow, key } = wish;
  const refuse = (why: string) =>
    tick.decisions.push({ do: 'drop-workflow', key, refused: { workflow, why }, reason: why, events: [] });
  if (answer.of !== 'workflow') {
    refuse(answer.of === 'error' ? answer.text : 'It could not be made.');
    return;
  }
  try {
    const events = begin(tick, wish, answer);
    const { run } = answer;
    tick.decisions.push({ do: 'run-workflow', key, workflow, reason: `${run} begins: ${wish.occasion}`, events });
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    refuse(error.message);
  }
}

/** The tasks, the occasion, and what the waiting task comes after now: one commit. */
function begin(tick: Tick, wish: WorkflowWish, { run, tasks }: StartedWorkflow): readonly EventDraft[] {
  const { graph, now } = tick;
  const { workflow, occasion, task } = wish;
  const added = addCompiled(graph, tasks, { now, actor: ACTOR });
  const put = startNode(workflow, { occasion, at: now, run, tasks: tasks.map(({ id }) => id) });
  const remembered: EventDraft = {
    op: 'trigger',
    actor: ACTOR,
    detail: { workflow, occasion, run, ...(task === undefined ? {} : { task }) },
    patch: [{ id: put.id, put }],
  };
  return tick.act({ events: [...added.events, remembered, ...waiting(tick, task, run, tasks)], result: undefined });
}

function waiting(
  { graph, now }: Tick,
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
