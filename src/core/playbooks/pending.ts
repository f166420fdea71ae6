import { HUMAN } from '#core/graph/assignee.js';
import { readiness } from '#core/graph/ready.js';
import { againCommand } from '#core/graph/take-again.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { isRunOver, type PlaybookRun } from './runs.js';

/**
 * Actions a run waits for: accept its line-up, decide for a stuck role, approve the release, check a handoff, brief the
 * next phase, accept the work of a step, or handle a failed step without which nothing continues.
 */
export const PENDING_KINDS = ['line-up', 'decide', 'go', 'check', 'brief', 'review', 'failed'] as const;
export type PendingKind = (typeof PENDING_KINDS)[number];

export interface Pending {
  readonly kind: PendingKind;
  /** Task of the step; undefined for a line-up. */
  readonly task: string | undefined;
  /** Command that lets the run continue. */
  readonly command: string;
}

/** Pending actions, most urgent first; empty if the run waits for no person. */
export function pendingOf(view: GraphView, playbookRun: PlaybookRun, now: number): Pending[] {
  const { run, tasks, record } = playbookRun;
  if (isRunOver(playbookRun)) return [];
  if (record?.state === 'proposed')
    return [{ kind: 'line-up', task: undefined, command: `troupe playbook accept ${run}` }];
  const own = tasks.flatMap((task) => pendingStep(view, playbookRun, task, now));
  if (own.length > 0) return own.sort((left, right) => rankOf(left) - rankOf(right));
  const goesOn = tasks.some(({ id, status }) => PROGRESSING_STATUSES.has(status) || readiness(view, id, now).ready);
  if (goesOn) return [];
  // An abandoned task blocks only if open tasks remain after it.
  const isLeft = tasks.some(({ status }) => status === 'open');
  return tasks.flatMap((task) => {
    const { id, status } = task;
    if (status === 'failed') return [{ kind: 'failed', task: id, command: againCommand(view, task) }];
    return status === 'abandoned' && isLeft ? [{ kind: 'failed', task: id, command: `troupe reopen ${id}` }] : [];
  });
}

/** A step that ended without its work and blocks its run. */
export interface BlockingStep {
  readonly task: string;
  /** Its status and reason. */
  readonly reason: string;
}

/**
 * Step that blocks a run until a person intervenes; undefined if the run continues, or waits for a person in another
 * way.
 */
export function blockingStep(view: GraphView, run: PlaybookRun, now: number): BlockingStep | undefined {
  const failed = pendingOf(view, run, now).find(({ kind }) => kind === 'failed');
  const task = failed?.task === undefined ? undefined : view.task(failed.task);
  if (task === undefined) return undefined;
  const why = task.failure_reason ?? task.log?.at(-1)?.message ?? 'no reason was given';
  return { task: task.id, reason: `${task.status}: ${why}` };
}

const PROGRESSING_STATUSES: ReadonlySet<string> = new Set(['in-progress', 'waiting']);
const rankOf = ({ kind }: Pending): number => PENDING_KINDS.indexOf(kind);

function pendingStep(view: GraphView, { run, record }: PlaybookRun, task: Task, now: number): Pending[] {
  const { id, status } = task;
  if (status === 'pending-validation') return [{ kind: 'review', task: id, command: `troupe approve ${id}` }];
  if (HUMAN.of(task) !== true || status !== 'open' || !readiness(view, id, now).ready) return [];
  const step = record === null ? '' : id.slice(run.length + 1);
  if (step === 'go') return [{ kind: 'go', task: id, command: `troupe playbook go ${run}` }];
  const kind = PERSON_STEPS.find((word) => step.startsWith(`${word}-`)) ?? 'check';
  return [{ kind, task: id, command: `troupe done ${id}` }];
}

const PERSON_STEPS = ['decide', 'check', 'brief'] as const;
