import type { Tick } from '#core/coordinator/tick.js';
import { addTask } from '#core/graph/add.js';
import type { EventDraft, Plan } from '#core/graph/event.js';
import { reopenTask } from '#core/graph/moves.js';
import { freeId } from '#core/graph/slug.js';
import type { NodeFields, Task } from '#core/graph/task.js';
import { record, taskField } from '#core/graph/task-field.js';
import { timeOf } from '#core/graph/time.js';
import { timestamp } from '#kernel/clock.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { compareText } from '#kernel/order.js';
import { plural } from '#kernel/text.js';
import { promptTime } from './prompt-time.js';
import type { BaseDecision, Part } from './tick.js';

const RESURRECTIONS = taskField('resurrections', record);

const COORDINATOR = 'coordinator';
/** Tag of a finished task that must not be reopened. */
export const NO_RESURRECTION_TAG = 'resurrect:false';

/** A message about a task that no run of the task has read. */
export interface UnreadFact {
  readonly task: string;
  /** Its number in the conversation. */
  readonly number: number;
  /** Time of writing. */
  readonly at: number;
  readonly from: 'person' | 'run' | 'coordinator';
  /** The task of the run that wrote it. */
  readonly speaksFor?: string;
}

export interface WithMessages {
  /** Messages to tasks that are done. */
  readonly unread: readonly UnreadFact[];
}

interface ResurrectDecision extends BaseDecision {
  readonly do: 'resurrect';
  readonly task: string;
}

export const messages: Part<WithMessages, ResurrectDecision> = { none: { unread: [] }, decide: resurrect };

/**
 * Phase 2.8: reopens a finished task that got unread messages from a permitted sender; its history is kept. If a
 * dependent has started already, a new task answers instead, because the results that others build on must not change.
 * Tasks with a command are never reopened: a command reads no messages and must not run twice because of one.
 */
function resurrect(tick: Tick<WithMessages, ResurrectDecision>): void {
  const byTask = new Map<string, UnreadFact[]>();
  for (const fact of tick.facts.unread) byTask.set(fact.task, [...(byTask.get(fact.task) ?? []), fact]);
  for (const [id, facts] of [...byTask].sort(([left], [right]) => compareText(left, right))) {
    const task = tick.graph.task(id);
    if (task?.status !== 'done' || task.exec !== undefined || task.tags?.includes(NO_RESURRECTION_TAG)) continue;
    const { times, read_to } = resurrectionsOf(task);
    const after = tick.graph.dependents(id);
    // Messages from before the last attempt were in its prompt.
    const isNew = ({ number, at }: UnreadFact) => number > read_to && at > promptTime(task);
    const batch = facts.filter((fact) => isNew(fact) && mayCall(fact, after));
    if (batch.length === 0 || times.length >= WORK_LIMITS.resurrections) continue;
    if (tick.now - timeOf(times.at(-1)) < WORK_LIMITS.resurrectionPauseMs) continue;
    const record: NodeFields = {
      resurrections: {
        times: [...times, timestamp(tick.now)],
        read_to: Math.max(...batch.map(({ number }) => number)),
      },
    };
    const tooLate = after.some((other) => hasBegun(tick.graph.task(other)));
    const plan = tooLate ? respond(tick, task, batch, record) : reopen(tick, task, batch, record);
    const reason = tooLate ? 'Unread messages, and a dependent task has started' : 'It has unread messages';
    tick.want({ do: 'resurrect', task: id, reason, events: tick.act(plan) });
  }
}

/**
 * Whether the sender may reopen the task: people, the coordinator, and runs of its dependents. The channel has
 * authenticated runs by token.
 */
function mayCall({ from, task, speaksFor }: UnreadFact, after: readonly string[]): boolean {
  if (from !== 'run') return true;
  return speaksFor !== undefined && speaksFor !== task && after.includes(speaksFor);
}

function hasBegun(task: Task | undefined): boolean {
  return task !== undefined && (task.status !== 'open' || (task.fence ?? 0) > 0) && task.status !== 'abandoned';
}

function reopen(tick: Tick, task: Task, batch: readonly UnreadFact[], record: NodeFields): Plan<undefined> {
  const reason = `${plural(batch.length, 'unread message')}`;
  const plan = reopenTask(tick.graph, task.id, { now: tick.now, by: { name: COORDINATOR }, reason });
  return { events: [...plan.events, edit(task.id, record)], result: undefined };
}

function respond(tick: Tick, task: Task, batch: readonly UnreadFact[], record: NodeFields): Plan<undefined> {
  const id = freeId(`respond-to-${task.id}`, (other) => tick.graph.wasUsed(other));
  const description = `${plural(batch.length, 'message')} came to ${task.id} after it was done, and dependent tasks have started. Read them with \`troupe msg read ${task.id}\`, answer with \`troupe msg send ${task.id} TEXT\`, and add tasks for what has to be changed.`;
  const draft = { id, title: `Respond to ${task.id}`, description, tags: ['respond'], no_place: true };
  const plan = addTask(tick.graph, draft, { now: tick.now, actor: COORDINATOR });
  const child: NodeFields = {
    parent: task.id,
    ...(task.member === undefined ? {} : { member: task.member }),
  };
  return { events: [...plan.events, edit(id, child), edit(task.id, record)], result: undefined };
}

function edit(id: string, set: NodeFields): EventDraft {
  return { op: 'edit', task_id: id, actor: COORDINATOR, patch: [{ id, set }] };
}

/** The stored reopenings of a task; values of another form (hand edits) are ignored. */
function resurrectionsOf(task: Task): { times: readonly string[]; read_to: number } {
  const { times, read_to } = (RESURRECTIONS.of(task) ?? {}) as { times?: unknown; read_to?: unknown };
  return {
    times: Array.isArray(times) ? times.filter((time) => typeof time === 'string') : [],
    read_to: typeof read_to === 'number' ? read_to : 0,
  };
}
