// Outcome of a run that is over, for its task and for the log.

import { lastRunField, TOKEN_USAGE } from '#core/graph/attempts.js';
import { type EventDraft, type Plan, withFields } from '#core/graph/event.js';
import { withLastWords } from '#core/graph/last-words.js';
import type { NodeFields, Status, Task } from '#core/graph/task.js';
import { anything, taskField } from '#core/graph/task-field.js';
import { attemptReport } from '#core/graph/unmerged.js';
import { isPhaseTask } from '#core/playbooks/formation.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { cut, inert } from '#kernel/text.js';
import { tokensOf } from './budget.js';
import { troubleOf } from './client-holds.js';
import { isClientRun, type RunFact } from './snapshot.js';
import type { Tick } from './tick.js';

/**
 * Outcome of a run as far as its task is concerned; every settlement uses it. `silent`: the client exited without an
 * error and reported nothing, and no check decided. Changed files or registered artifacts do not show that the work is
 * finished.
 */
export type RunEnding = 'finished' | 'silent' | 'failed';

export function endingOf(run: RunFact, task: Task): RunEnding {
  if (run.ended === 'stopped') return 'failed';
  const { result } = run;
  const checked = result?.check === undefined || result.check.code === 0;
  // A run that reported its task is judged by that report and the check that followed; its final result counts no more.
  if (attemptReport(task)) return checked ? 'finished' : 'failed';
  if (run.ended !== undefined) return 'failed';
  // The final result was written before the exit: the reason for ending the run afterwards does not invalidate it.
  const well = result?.outcome === 'succeeded' ? checked : run.exit?.code === 0;
  if (!well) return 'failed';
  return run.silentEnd === 'ask' && result?.check === undefined ? 'silent' : 'finished';
}

/**
 * Failure text of a task's check: its command, its exit code and the last lines it printed. Undefined if the check did
 * not fail.
 */
export function checkFailure({ exit, result }: RunFact, task: Task | undefined): string | undefined {
  const checked = exit?.check ? { code: exit.code, ms: 0, ...exit.check } : result?.check;
  if (!checked || checked.code === 0) return undefined;
  const command = cut(inert(task?.verify_cmd ?? ''), WORK_LIMITS.checkShownCharacters);
  const late = checked.ms >= WORK_LIMITS.verifyMs;
  const how = late ? `took longer than ${WORK_LIMITS.verifyMs / 1_000} s` : `exited with code ${checked.code}`;
  return `The check \`${command}\` ${how}${printed(checked.lastLines) || ' and printed nothing'}`;
}

/** Failure text of a run with the last lines it printed, as a refusal explains more than its exit code. */
export function exitFailure(run: Pick<RunFact, 'exit' | 'executor'>): string {
  const { exit } = run;
  return `${isClientRun(run) ? 'Agent' : 'Command'} exited with code ${exit?.code ?? 'unknown'}${printed(exit?.lastLines ?? '')}`;
}

function printed(lastLines: string): string {
  const lines = lastLines.split('\n').filter((line) => line.trim() !== '');
  return lines.length === 0 ? '' : `: ${lines.join(' | ')}`;
}

/**
 * Whether an attempt at a phase of a crew succeeded except for its gate. Its handoff is still examined: it may report
 * that the phase is stuck, which is not a failure.
 */
export function missedGate(run: RunFact, task: Task): boolean {
  const { result, ended } = run;
  // The check runs only after a client has exited without an error.
  const failed = result?.check !== undefined && result.check.code !== 0;
  return failed && ended === undefined && isPhaseTask(task);
}

export const SILENT_RUNS = taskField('silent_runs', anything);

/**
 * Adds the usage of an attempt to the totals of its task and its last message to the log; a run that made progress
 * resets the count of silent runs. With `goesOn` the next attempt may resume its session.
 */
export function withUsage(
  tick: Tick,
  plan: Plan<unknown> | undefined,
  task: Task | undefined,
  run: RunFact,
  goesOn = true,
): Plan<unknown> | undefined {
  const usage = run.result?.usage ?? run.usage;
  const isClient = isClientRun(run);
  if (!plan || !task || (!usage && !isClient)) return plan;
  const before = (TOKEN_USAGE.of(task) ?? {}) as Record<string, number>;
  const sum: Record<string, number> = { ...before };
  for (const [field, value] of Object.entries(usage ?? {})) sum[field] = (before[field] ?? 0) + value;
  const spoke = run.progressAt !== undefined && SILENT_RUNS.of(task) !== undefined ? ['silent_runs'] : [];
  const [first] = plan.events;
  if (!first) return plan;
  const set: NodeFields = {
    ...(Object.keys(sum).length > 0 ? { token_usage: sum } : {}),
    ...(run.result?.sessionId === undefined ? {} : { session_id: run.result.sessionId }),
    ...(isClient && run.started && goesOn ? lastRunField(task, run.id, statusAfter(first, task)) : {}),
  };
  return withLastWords(withFields(plan, task.id, set, spoke), task, run.id, run.result?.lastWords, tick.now);
}

/** Status of a task after an event. */
function statusAfter({ patch }: EventDraft, task: Task): Status {
  const status = patch.flatMap((item) => (item.id === task.id && 'set' in item ? (item.set?.['status'] ?? []) : []));
  return (status.at(-1) as Status | undefined) ?? task.status;
}

/** The task, if the attempt moved it itself and has usage or a last message to record. */
export function taskToCharge(task: Task | undefined, run: RunFact): Task | undefined {
  const hasUse = (run.result?.usage ?? run.usage ?? run.result?.lastWords) !== undefined;
  return hasUse && task?.assigned === run.id && task.fence === run.fence ? task : undefined;
}

/** Outcome of a run whose task is not moved here: by the status it left its task in, else by its exit code. */
export function endedAs(task: Task | undefined, run: RunFact): 'done' | 'failed' | 'parked' {
  const own = task?.assigned === run.id && task.fence === run.fence;
  if (own && (task.status === 'done' || task.status === 'pending-validation')) return 'done';
  if (own && task.status === 'waiting') return 'parked';
  if (own && task.status !== 'in-progress') return 'failed';
  return run.exit?.code === 0 && run.ended === undefined ? 'done' : 'failed';
}

/** Event for a run that is over. With `task`, its usage is recorded for this task. */
export function complete(run: RunFact, outcome: string, task?: Task): Plan<undefined> {
  const reported = run.result?.usage ?? run.usage;
  // A provider that refused even the first request charged nothing.
  const isFree = troubleOf(run) !== undefined && (reported === undefined || tokensOf(reported) === 0);
  const usage = isFree ? { cost_usd: 0, ...reported } : reported;
  const detail: NodeFields = {
    run: run.id,
    outcome,
    ...(run.started ? {} : { started: false }),
    ...(run.executor === undefined ? {} : { executor: run.executor }),
    ...(run.model === undefined ? {} : { model: run.model }),
    ...(usage === undefined ? {} : { usage: { ...usage } as NodeFields }),
  };
  return {
    events: [
      {
        op: 'agent_complete',
        task_id: run.taskId,
        actor: run.id,
        detail,
        patch: task ? [{ id: task.id, set: {} }] : [],
      },
    ],
    result: undefined,
  };
}
