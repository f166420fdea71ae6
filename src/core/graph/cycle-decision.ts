import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { Cycle } from './cycles.js';
import { guardHolds, guardNamesFailure } from './guard.js';
import { isTerminal, type Task } from './task.js';
import { timeOf } from './time.js';
import type { GraphView } from './view.js';

export type CycleVerb = 'wait' | 'hold' | 'restart' | 'end' | 'iterate' | 'ended';

/** Reason of a decision, as a closed vocabulary; `CYCLE_REASONS` has the texts. */
export type CycleReason =
  | 'no-config'
  | 'paused'
  | 'unfinished'
  | 'inner-cycle'
  | 'failed-others-at-work'
  | 'failed-restart'
  | 'nothing-done'
  | 'converged'
  | 'iterations-spent'
  | 'guard-false'
  | 'member-failed'
  | 'guard-true';

export const CYCLE_REASONS: Readonly<Record<CycleReason, string>> = {
  'no-config': 'it has no cycle_config: none of its tasks can ever start',
  paused: 'a member is paused',
  unfinished: 'not every member is finished',
  'inner-cycle': 'a cycle inside it has not ended',
  'failed-others-at-work': 'a member failed; waiting for the others',
  'failed-restart': 'a member failed and restarts are left',
  'nothing-done': 'no member was done',
  converged: 'a member reported convergence',
  'iterations-spent': 'no iterations are left',
  'guard-false': 'its guard does not hold',
  'member-failed': 'a member failed and no restart is left',
  'guard-true': 'its guard holds and iterations are left',
};

export interface CycleDecision {
  readonly do: CycleVerb;
  readonly why: CycleReason;
}

/** Decides the next step of a cycle. Pure; the coordinator, moves and `troupe analyze --only cycles` share it. */
export function decideCycle(view: GraphView, cycle: Cycle): CycleDecision {
  const { config } = cycle;
  if (!config) return { do: 'wait', why: 'no-config' };
  const members = cycle.members.map((id) => view.task(id)).filter((task) => task !== undefined);
  const header = view.task(cycle.header);
  const ended = endOf(header, members);
  if (ended) return { do: 'ended', why: ended };
  if (members.some((task) => task.paused === true)) return { do: 'wait', why: 'paused' };
  if (restartDue(view, cycle, members)) {
    return members.some(isAtWork)
      ? { do: 'hold', why: 'failed-others-at-work' }
      : { do: 'restart', why: 'failed-restart' };
  }
  if (members.some((task) => !isTerminal(task.status))) return { do: 'wait', why: 'unfinished' };
  if (cycle.inner.some((inner) => isUnfinished(view, inner))) return { do: 'wait', why: 'inner-cycle' };
  return outcome(view, cycle, members);
}

/** Decides about the next iteration once all members are terminal. */
function outcome(view: GraphView, cycle: Cycle, members: readonly Task[]): CycleDecision {
  const { config } = cycle;
  const header = view.task(cycle.header);
  const iteration = header?.loop_iteration ?? 0;
  const named = members.some((task) => task.status === 'failed' && guardNamesFailure(config?.guard, task.id));
  if (!named && !members.some((task) => task.status === 'done')) return { do: 'end', why: 'nothing-done' };
  if (header?.tags?.includes(CONVERGED) && config?.no_converge !== true) return { do: 'end', why: 'converged' };
  if (iteration >= iterationsOf(config?.max_iterations)) return { do: 'end', why: 'iterations-spent' };
  if (!guardHolds(view, config?.guard, iteration)) return { do: 'end', why: 'guard-false' };
  if (members.some((task) => hasCrashed(cycle, task))) return { do: 'end', why: 'member-failed' };
  return { do: 'iterate', why: 'guard-true' };
}

/** Tag on the header that ends a cycle. */
export const CONVERGED = 'converged';

/** Maximum number of iterations, bounded by the limit; 0 if the value is unreadable. */
export function iterationsOf(most: unknown): number {
  return typeof most === 'number' && most >= 1 ? Math.min(most, WORK_LIMITS.cycleIterations) : 0;
}

/**
 * Whether the cycle will restart its iteration because a member failed. Then its members and the dependents of the
 * failure are held, to keep them from building on an iteration that will be repeated.
 */
export function restartPending(view: GraphView, cycle: Cycle): boolean {
  const members = cycle.members.map((id) => view.task(id)).filter((task) => task !== undefined);
  return endOf(view.task(cycle.header), members) === undefined && restartDue(view, cycle, members);
}

/** Returns the paused members of a cycle whose members are all terminal and whose next iteration is undecided. */
export function pausedBetweenPasses(view: GraphView, cycle: Cycle): string[] {
  const members = cycle.members.map((id) => view.task(id)).filter((task) => task !== undefined);
  const paused = members.filter((task) => task.paused === true).map((task) => task.id);
  if (paused.length === 0 || members.some((task) => !isTerminal(task.status))) return [];
  return endOf(view.task(cycle.header), members) === undefined ? paused : [];
}

function restartDue(view: GraphView, cycle: Cycle, members: readonly Task[]): boolean {
  const { config } = cycle;
  if (!config || config.restart_on_failure === false) return false;
  const most = config.max_failure_restarts ?? WORK_LIMITS.cycleFailureRestarts;
  if ((view.task(cycle.header)?.cycle_failure_restarts ?? 0) >= most) return false;
  return members.some((task) => hasCrashed(cycle, task) && !belongsToInner(view, cycle, task.id));
}

function hasCrashed(cycle: Cycle, task: Task): boolean {
  return task.status === 'failed' && !guardNamesFailure(cycle.config?.guard, task.id);
}

/** Whether an inner cycle handles the failure of this member: it does until it has ended. */
function belongsToInner(view: GraphView, cycle: Cycle, id: string): boolean {
  return cycle.inner.some((header) => {
    const inner = view.cycle(header);
    if (!inner?.configured || !inner.members.includes(id)) return false;
    return isUnfinished(view, header) || guardNamesFailure(inner.config?.guard, id);
  });
}

function isUnfinished(view: GraphView, header: string): boolean {
  const inner = view.cycle(header);
  return inner?.configured === true && decideCycle(view, inner).do !== 'ended';
}

function isAtWork(task: Task): boolean {
  return task.status === 'in-progress' || task.status === 'waiting' || task.status === 'pending-validation';
}

/** Returns the recorded end reason, as long as no member has changed since. */
function endOf(header: Task | undefined, members: readonly Task[]): CycleReason | undefined {
  const ended = header?.cycle_ended;
  if (!ended || !(ended.reason in CYCLE_REASONS)) return undefined;
  const at = timeOf(ended.at);
  const still = members.every((task) => isTerminal(task.status) && !(timeOf(task.completed_at) > at));
  return still ? (ended.reason as CycleReason) : undefined;
}
