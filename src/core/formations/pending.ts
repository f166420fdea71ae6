import { HUMAN } from '#core/graph/assignee.js';
import { readiness } from '#core/graph/ready.js';
import { againCommand } from '#core/graph/take-again.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import type { FormationRecord } from './record.js';

/**
 * What a run waits for a person to do: accept its line-up, decide for a role that is stuck, say go for the release, look at what a
 * phase handed over, brief the next one, accept the work of a step, or see to one that failed where nothing goes on without it.
 */
export const PENDING_KINDS = ['line-up', 'decide', 'go', 'check', 'brief', 'review', 'failed'] as const;
export type PendingKind = (typeof PENDING_KINDS)[number];

export interface Pending {
  readonly kind: PendingKind;
  /** The task of the step; undefined of a line-up. */
  readonly task: string | undefined;
  /** What a person types to let it go on. */
  readonly command: string;
}

/** The most urgent first; empty where nobody is waited for. */
export function pendingOf(view: GraphView, record: FormationRecord, now: number): Pending[] {
  const { run, state } = record;
  if (state === 'ended') return [];
  if (state === 'proposed') return [{ kind: 'line-up', task: undefined, command: `troupe formation start ${run}` }];
  const tasks = record.tasks.flatMap((id) => view.task(id) ?? []);
  const own = tasks.flatMap((task) => pendingStep(view, run, task, now));
  if (own.length > 0) return own.sort((left, right) => rankOf(left) - rankOf(right));
  const goesOn = tasks.some(({ id, status }) => MOVING.has(status) || readiness(view, id, now).ready);
  if (goesOn) return [];
  // What was abandoned is missed where something is left that would come after it.
  const isLeft = tasks.some(({ status }) => status === 'open');
  return tasks.flatMap((task) => {
    const { id, status } = task;
    if (status === 'failed') return [{ kind: 'failed', task: id, command: againCommand(view, task) }];
    return status === 'abandoned' && isLeft ? [{ kind: 'failed', task: id, command: `troupe reopen ${id}` }] : [];
  });
}

/** A step that ended without its work, of a run in which nothing goes on without it. */
export interface HeldBy {
  readonly task: string;
  /** What became of it, and why. */
  readonly reason: string;
}

/** What holds a run for good until a person sees to it; undefined of one that goes on, or waits for a person in another way. */
export function heldBy(view: GraphView, record: FormationRecord, now: number): HeldBy | undefined {
  const failed = pendingOf(view, record, now).find(({ kind }) => kind === 'failed');
  const task = failed?.task === undefined ? undefined : view.task(failed.task);
  if (task === undefined) return undefined;
  const why = task.failure_reason ?? task.log?.at(-1)?.message ?? 'no reason was given';
  return { task: task.id, reason: `${task.status}: ${why}` };
}

const MOVING: ReadonlySet<string> = new Set(['in-progress', 'waiting']);
const rankOf = ({ kind }: Pending): number => PENDING_KINDS.indexOf(kind);

function pendingStep(view: GraphView, run: string, task: Task, now: number): Pending[] {
  const { id, status } = task;
  if (status === 'pending-validation') return [{ kind: 'review', task: id, command: `troupe approve ${id}` }];
  if (HUMAN.of(task) !== true || status !== 'open' || !readiness(view, id, now).ready) return [];
  const step = id.slice(run.length + 1);
  if (step === 'go') return [{ kind: 'go', task: id, command: `troupe formation go ${run}` }];
  const kind = PERSON_STEPS.find((word) => step.startsWith(`${word}-`)) ?? 'check';
  return [{ kind, task: id, command: `troupe done ${id}` }];
}

const PERSON_STEPS = ['decide', 'check', 'brief'] as const;
