import { ZERO_OUTPUT_TAG } from '#core/coordinator/breakers.js';
import { troubleOf } from '#core/coordinator/client-holds.js';
import { nextTurn, type WithConversations } from '#core/coordinator/conversations.js';
import { type FinishDecision, finish, type WithFinishing } from '#core/coordinator/finish.js';
import { dueAt, PassedRuns } from '#core/coordinator/quiet-runs.js';
import { complete, endedAs, taskToCharge, withUsage } from '#core/coordinator/run-end.js';
import type { RunFact, Terms } from '#core/coordinator/snapshot.js';
import { throttle } from '#core/coordinator/throttle.js';
import type { Tick } from '#core/coordinator/tick.js';
import {
  examineDeadRun,
  hadFinished,
  isUnderTriage,
  nextAttempt,
  type TriageDecision,
  withFinishedNote,
} from '#core/coordinator/triage.js';
import { failedStartsOf, keptLastRunField } from '#core/graph/attempts.js';
import { type EventDraft, type Plan, withFields } from '#core/graph/event.js';
import { failTask, unclaimTask } from '#core/graph/moves.js';
import type { NodeFields, Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import { timeOf } from '#core/graph/time.js';
import { attemptReport } from '#core/graph/unmerged.js';
import { waitTask } from '#core/graph/wait.js';
import { TROUBLES } from '#core/runs/provider-trouble.js';
import { timestamp } from '#kernel/clock.js';
import { formatDuration } from '#kernel/duration.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { type KillDecision, kill } from './breakers.js';
import { checkFailure, endingOf, exitFailure, missedGate, SILENT_RUNS } from './run-end.js';
import { isSpent, Meter, releaseSpentTask, SPENT, type TopUpDecision } from './spending.js';
import { DEATHS } from './throttle.js';
import type { BaseDecision, Part } from './tick.js';

const COORDINATOR = { name: 'coordinator' };

/** Facts for settling runs. */
export interface WithRuns extends WithFinishing {
  readonly maxAgents: number;
  /** A model examines a run that died before its task goes on. */
  readonly autoTriage: boolean;
}

interface SettleDecision extends BaseDecision {
  readonly do: 'settle-exit';
  readonly run: string;
  readonly task: string;
  readonly outcome: 'done' | 'failed' | 'kept';
}

interface LossDecision extends BaseDecision {
  /** `release`: the claim is revoked although the run may still exist. */
  readonly do: 'mark-dead' | 'release';
  readonly run: string;
  readonly task: string;
}

type Decision = SettleDecision | LossDecision | KillDecision | TopUpDecision | FinishDecision | TriageDecision;
type RunTick = Tick<WithRuns & WithConversations, Decision>;

export const runs: Part<WithRuns, Decision, WithRuns & WithConversations> = {
  none: { maxAgents: 0, autoTriage: false, finishes: false },
  decide: reap,
};

/** Phase 1: settles runs and counts the free slots. */
function reap(tick: RunTick): void {
  const { budget, runs, maxAgents, terms } = tick.facts;
  const meter = budget && new Meter(budget, runs);
  const passed = new PassedRuns(tick);
  for (const run of meter === undefined ? passed.unsettled() : passed.all()) {
    const task = tick.graph.task(run.taskId);
    const decision = reapRun(tick, run, task, meter);
    const takesSlot = run.alive && run.exit === undefined && !run.elsewhere && task?.status !== 'waiting';
    passed.remember(run, { takesSlot, until: decision === QUIET ? dueAt(run, terms) : undefined });
    if (decision !== QUIET && decision) tick.want(decision);
  }
  tick.slots = Math.max(0, maxAgents - passed.slots);
}

/** Nothing is to be decided about a run before something about it changes or becomes due. */
const QUIET = 'quiet';

/** Decides about one run. */
function reapRun(
  tick: RunTick,
  run: RunFact,
  task: Task | undefined,
  meter: Meter | undefined,
): Decision | typeof QUIET | undefined {
  const { now, facts } = tick;
  const { terms } = facts;
  const claimed = task?.assigned === run.id && task.fence === run.fence;
  const holdsClaim = claimed && task.status === 'in-progress';
  const parked = claimed && task.status === 'waiting';
  if (parked && (run.exit || !run.alive)) return settleParkedExit(tick, run, task);
  const report = holdsClaim ? attemptReport(task) : undefined;
  if (run.exit || (report && !run.alive)) return settle(tick, run, holdsClaim);
  if (!run.alive) return settleDead(tick, run, holdsClaim ? task : undefined);
  const over = run.ended ? undefined : meter?.overspent(run); // also if its task is over: the run still spends
  const more = run.ended || !holdsClaim ? undefined : meter?.topUp(tick, run);
  if (more) return more;
  if (over) return kill(run, 'budget', over);
  if (report) return endLingeringRun(run, report.at, now);
  if (holdsClaim && leaseLost(run, now, terms.leaseGraceMs)) return releaseLostRun(tick, run, task);
  if (run.ended) return undefined; // already signalled; its exit will follow
  if (hasJustReported(run, task, now)) return undefined;
  if (!holdsClaim && !parked) return kill(run, 'superseded', `${run.taskId} is no longer its task`);
  if (now - run.startedAt > run.timeoutMs) return kill(run, 'timeout', overtime(run));
  if (run.progressAt !== undefined && now - run.progressAt > terms.idleMs) return kill(run, 'idle', idle(terms));
  if (run.outputBytes > WORK_LIMITS.outputBytes)
    return kill(run, 'output', 'It printed more than an output file may hold');
  return QUIET;
}

/** A client that has just reported its own task gets time for its final result, which holds its cost for example. */
function hasJustReported(run: RunFact, task: Task | undefined, now: number): boolean {
  if (!task || task.status === 'in-progress' || run.executor === undefined) return false;
  if (task.assigned !== run.id || task.fence !== run.fence) return false;
  return now - timeOf(task.completed_at ?? task.log?.at(-1)?.timestamp) < WORK_LIMITS.lastWordMs;
}

/**
 * A run that reported its task as done gets time for its final result before it is ended: its work is merged only once
 * it has ended.
 */
function endLingeringRun(run: RunFact, reportedAt: number, now: number): KillDecision | undefined {
  if (run.ended || now - reportedAt < WORK_LIMITS.lastWordMs) return undefined;
  return kill(run, 'superseded', 'It reported its task as done and went on');
}

/**
 * Whether the lease and its grace period have expired. The run may still exist, but its writes are refused from then
 * on.
 */
function leaseLost(run: RunFact, now: number, graceMs: number): boolean {
  return run.leaseUntil !== undefined && now > run.leaseUntil + graceMs;
}

/** Releases the task at once. If the run still exists, it is ended later because its task has moved on. */
function releaseLostRun(tick: Tick, run: RunFact, task: Task): LossDecision {
  const options = { now: tick.now, by: { name: run.id, fence: run.fence }, detail: { run: run.id } };
  const plan = unclaimTask(tick.graph, task.id, { ...options, reason: `${run.id} was not heard of any more` });
  return {
    do: 'release',
    run: run.id,
    task: task.id,
    reason: 'Its lease has expired',
    events: tick.act(withDeathPause(plan, task, tick.now)?.plan ?? plan),
  };
}

/** Settles a run that ended while its task waits: the task keeps waiting, and another run takes it up later. */
function settleParkedExit(tick: RunTick, run: RunFact, task: Task): SettleDecision {
  const event: EventDraft = {
    op: 'park',
    task_id: task.id,
    actor: run.id,
    detail: { run: run.id },
    patch: [{ id: task.id, unset: ['assigned', 'started_at'] }],
  };
  const plan: Plan<undefined> = { events: [event], result: undefined };
  return {
    do: 'settle-exit',
    run: run.id,
    task: run.taskId,
    outcome: 'kept',
    reason: 'It set its task to waiting',
    events: [...tick.act(withUsage(tick, plan, task, run)), ...tick.act(complete(run, 'parked'))],
  };
}

/** Settles a turn that asked others: the task waits for their answers without a claim. */
function park(
  tick: RunTick,
  run: RunFact,
  task: Task,
  options: { now: number; by: { name: string; fence: number }; detail: NodeFields },
): SettleDecision {
  const wait = {
    mode: 'any' as const,
    since: timestamp(tick.now),
    by: run.id,
    conditions: [{ type: 'message' as const }],
  };
  const reason = 'It waits for the answers of others';
  const parked = tick.act(withUsage(tick, waitTask(tick.graph, task.id, wait, { ...options, reason }), task, run));
  const left = settleParkedExit(tick, run, taskOf(tick.graph, task.id));
  return { ...left, reason, events: [...parked, ...left.events] };
}

function settle(tick: RunTick, run: RunFact, holdsClaim: boolean): Decision | undefined {
  const { graph, now } = tick;
  const code = run.exit?.code ?? 1;
  const detail: NodeFields = {
    run: run.id,
    exit_code: code,
    ...(run.exit?.durationMs === undefined ? {} : { ms: run.exit.durationMs }),
  };
  const options = { now, by: { name: run.id, fence: run.fence }, detail };
  const task = graph.task(run.taskId);
  const end = (outcome: 'done' | 'failed' | 'kept') => (outcome === 'kept' ? endedAs(task, run) : outcome);
  const settled = (
    outcome: 'done' | 'failed' | 'kept',
    plan: Plan<unknown> | undefined,
    reason: string,
  ): SettleDecision => ({
    do: 'settle-exit',
    run: run.id,
    task: run.taskId,
    outcome,
    reason,
    events: [
      ...tick.act(withUsage(tick, plan, task, run)),
      ...tick.act(
        plan
          ? complete(run, end(outcome))
          : withUsage(tick, complete(run, end(outcome), taskToCharge(task, run)), task, run),
      ),
    ],
  });
  if (!task || !holdsClaim) return settled('kept', undefined, 'The task had moved on');
  if (run.ended === 'stopped')
    return settled('kept', unclaimTask(graph, run.taskId, { ...options, reason: 'the run was stopped' }), 'Stopped');
  const trouble = troubleOf(run);
  if (trouble !== undefined && !attemptReport(task)) {
    const reason = `${run.executor}: ${TROUBLES[trouble].words}; that is not an attempt`;
    return settled('kept', unclaimTask(graph, run.taskId, { ...options, reason }), reason);
  }
  if (endingOf(run, task) !== 'failed' || missedGate(run, task)) {
    const next = attemptReport(task) ? undefined : nextTurn(tick.facts.mail.get(task.id), task.fence);
    if (next === 'park') return park(tick, run, task, options);
    if (next === 'again') {
      const reason = 'it has new messages';
      return settled('kept', unclaimTask(graph, run.taskId, { ...options, reason }), 'It has another turn');
    }
    return finish(tick, run, task, settled, options);
  }
  if (isSpent(run)) return settled('kept', releaseSpentTask(tick, run, options), SPENT);
  if (run.ended === 'silent') return settleSilentRun(tick, task, settled, options);
  const reason = failureOf(run, tick.facts.terms, task);
  return settled('failed', failTask(graph, run.taskId, { ...options, reason }), reason);
}

/**
 * Settles a run that vanished without an exit record or never started: its task is released after a growing pause, and
 * fails after five deaths.
 */
function settleDead(tick: RunTick, run: RunFact, task: Task | undefined): Decision | undefined {
  const { graph, now } = tick;
  const options = { now, by: { name: run.id, fence: run.fence }, detail: { run: run.id } };
  const dead = (plan: Plan<unknown> | undefined, reason: string, goesOn = true): LossDecision => ({
    do: 'mark-dead',
    run: run.id,
    task: run.taskId,
    reason,
    events: [...tick.act(withUsage(tick, plan, task, run, goesOn)), ...tick.act(complete(run, 'dead'))],
  });
  if (isUnderTriage(tick, run.id)) return undefined; // its result is awaited, and settles the run
  if (!task) return dead(undefined, 'The task had moved on');
  const release = (reason: string) => unclaimTask(graph, task.id, { ...options, reason });
  const fail = (reason: string) => dead(failTask(graph, task.id, { ...options, reason }), reason);
  if (!run.started && run.startError === undefined)
    return dead(withFields(release('the run never began'), task.id, keptLastRunField(task)), 'It never began');
  if (run.ended === 'stopped') return dead(release('the run was stopped'), 'Stopped');
  // Ended by the coordinator, but dead before it recorded that: the reason for ending it decides.
  if (run.ended === 'silent') return settleSilentRun(tick, task, (_, plan, reason) => dead(plan, reason), options);
  if (isSpent(run)) return dead(releaseSpentTask(tick, run, options), SPENT);
  if (run.ended) return fail(failureOf(run, tick.facts.terms, task));
  if (tick.facts.autoTriage && run.startError === undefined) {
    const { ask, answer } = examineDeadRun(tick, run, task);
    if (!answer) return ask;
    if (hadFinished(task, answer)) {
      const settled = (_: string, plan: Plan<unknown>, reason: string) =>
        dead(withFinishedNote(plan, task, run, answer), `Triage: done; ${reason}`);
      return finish(tick, run, task, settled, { ...options, detail: { run: run.id, triage: 'done' } });
    }
    const { plan, again } = nextAttempt(tick, run, task, answer);
    const end = again ? withDeathPause(plan, task, now)?.plan : plan;
    return end
      ? dead(end, `Triage: ${answer.verdict}`, answer.verdict !== 'restart')
      : fail(`Its attempts keep failing; ${run.id} died`);
  }
  const what = deathOf(run);
  const slowed = withDeathPause(release(`${run.id} ${what}`), task, now, run.startError);
  if (!slowed) return fail(`Its attempts keep failing; ${run.id} ${what}`);
  return dead(slowed.plan, `It ${what}`);
}

function deathOf({ startError, result, garbledEnd }: RunFact): string {
  if (garbledEnd !== undefined) return `ended, and the report of its worker about that is not valid: ${garbledEnd}`;
  if (startError !== undefined) return `could not be started: ${startError}`;
  return result?.signal === undefined ? 'died without a word' : `was ended by ${result.signal}, which was not ours`;
}

/**
 * Delays the next attempt by a pause that grows with the deaths of the task; undefined if there were too many.
 * `startError`: the run could not even be started; several of these in a row indicate a problem of this machine, not of
 * the work.
 */
function withDeathPause(
  plan: Plan<unknown>,
  task: Task,
  now: number,
  startError?: string,
): { plan: Plan<undefined> } | undefined {
  const { deaths, until, spent } = throttle(DEATHS.of(task), now);
  if (spent) return undefined;
  const before = failedStartsOf(task)?.count ?? 0;
  const set: NodeFields = {
    deaths: [...deaths],
    ...(until === undefined ? {} : { ready_after: timestamp(until) }),
    ...(startError === undefined ? {} : { failed_starts: { count: before + 1, reason: startError } }),
  };
  const unset = startError === undefined && before > 0 ? { unset: ['failed_starts'] } : {};
  const patch = [{ id: task.id, set, ...unset }];
  const pause: EventDraft = { op: 'edit', task_id: task.id, actor: COORDINATOR.name, patch };
  return { plan: { events: [...plan.events, pause], result: undefined } };
}

/** Releases the task after its first silent run and fails it after the second in a row. */
function settleSilentRun<Ended extends Decision>(
  tick: Tick,
  task: Task,
  settled: (outcome: 'failed' | 'kept', plan: Plan<unknown> | undefined, reason: string) => Ended,
  options: { now: number; by: { name: string; fence: number }; detail: NodeFields },
): Ended {
  const { id, tags = [] } = task;
  if (SILENT_RUNS.of(task) !== undefined) {
    const reason = 'Two runs in a row said nothing';
    const plan = failTask(tick.graph, id, { ...options, reason });
    return settled('failed', withFields(plan, id, { tags: [...new Set([...tags, ZERO_OUTPUT_TAG])] }), reason);
  }
  const plan = unclaimTask(tick.graph, id, { ...options, reason: 'its run said nothing' });
  return settled('kept', withFields(plan, id, { silent_runs: 1 }), 'It said nothing');
}

/** Reason of a failure, shown to people. */
function failureOf(run: RunFact, terms: Terms, task: Task | undefined): string {
  switch (run.ended) {
    case 'timeout':
      return overtime(run);
    case 'idle':
      return idle(terms);
    case 'output':
      return 'Agent printed more than an output file may hold';
    default:
      return checkFailure(run, task) ?? run.result?.reason ?? exitFailure(run);
  }
}

function idle({ idleMs }: Terms): string {
  return `Agent did nothing for ${formatDuration(idleMs)}`;
}

function overtime(run: RunFact): string {
  return `Agent exceeded hard timeout (${formatDuration(run.timeoutMs)})`;
}
