// How a run that is over ended, for its task and for the log.
import { isPhaseTask } from '#core/formations/formation.js';
import { lastRunField, TOKEN_USAGE } from '#core/graph/attempts.js';
import { type EventDraft, type Plan, withFields } from '#core/graph/event.js';
import { withLastWords } from '#core/graph/last-words.js';
import type { NodeFields, Status, Task } from '#core/graph/task.js';
import { anything, taskField } from '#core/graph/task-field.js';
import { attemptReport } from '#core/graph/unmerged.js';
import { LIMITS } from '#kernel/limits.js';
import { cut, inert } from '#kernel/text.js';
import { tokensOf } from './budget.js';
import { troubleOf } from './client-holds.js';
import { isClientRun, type RunFact } from './snapshot.js';
import type { Tick } from './tick.js';

/**
 * How a run that is over ended, as far as its task goes; whoever settles one asks here. `silent`: its client ended well and
 * reported nothing, and no check decided. What it changed or registered does not say that it is finished.
 */
export type RunEnding = 'finished' | 'silent' | 'failed';

export function endingOf(run: RunFact, task: Task): RunEnding {
  if (run.ended === 'stopped') return 'failed';
  const { result } = run;
  const checked = result?.check === undefined || result.check.code === 0;
  // A run that reported its task is judged by that, and by the check that followed; no last word of it counts more.
  if (attemptReport(task)) return checked ? 'finished' : 'failed';
  if (run.ended !== undefined) return 'failed';
  // Its last word was written before it exited: whatever ended it after that takes nothing back.
  const well = result?.outcome === 'succeeded' ? checked : run.exit?.code === 0;
  if (!well) return 'failed';
  return run.silentEnd === 'ask' && result?.check === undefined ? 'silent' : 'finished';
}

/** That the check of a task failed: which command, how it ended, and the last lines it printed. Undefined when it did not. */
export function checkFailure({ exit, result }: RunFact, task: Task | undefined): string | undefined {
  const checked = exit?.check ? { code: exit.code, ms: 0, ...exit.check } : result?.check;
  if (!checked || checked.code === 0) return undefined;
  const command = cut(inert(task?.verify_cmd ?? ''), LIMITS.checkShownCharacters);
  const late = checked.ms >= LIMITS.verifyMs;
  const how = late ? `took longer than ${LIMITS.verifyMs / 1_000} s` : `exited with code ${checked.code}`;
  return `The check \`${command}\` ${how}${printed(checked.lastLines) || ' and printed nothing'}`;
}

/** That a command ended badly, with what it printed last: a refusal says more than its code. */
export function exitFailure({ exit }: Pick<RunFact, 'exit'>): string {
  return `Agent exited with code ${exit?.code ?? 'unknown'}${printed(exit?.lastLines ?? '')}`;
}

function printed(lastLines: string): string {
  const lines = lastLines.split('\n').filter((line) => line.trim() !== '');
  return lines.length === 0 ? '' : `: ${lines.join(' | ')}`;
}

/**
 * Did an attempt at a phase of a crew end well but for its gate? Then what it handed over is looked at all the same: it may say that it
 * is stuck, which is no failure.
 */
export function missedGate(run: RunFact, task: Task): boolean {
  const { result, ended } = run;
  // The check runs only once a client has ended well.
  const failed = result?.check !== undefined && result.check.code !== 0;
  return failed && ended === undefined && isPhaseTask(task);
}

export const SILENT_RUNS = taskField('silent_runs', anything);

/**
 * What an attempt used is added to what the task used before, and what it said last to its log; a run that did something
 * ends the silence. With `goesOn` the next attempt may take up its session.
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

/** Where an event leaves a task. */
function statusAfter({ patch }: EventDraft, task: Task): Status {
  const status = patch.flatMap((item) => (item.id === task.id && 'set' in item ? (item.set?.['status'] ?? []) : []));
  return (status.at(-1) as Status | undefined) ?? task.status;
}

/** The task an attempt ended by itself, when there is something to be said of what that took. */
export function spender(task: Task | undefined, run: RunFact): Task | undefined {
  const hasUse = (run.result?.usage ?? run.usage ?? run.result?.lastWords) !== undefined;
  return hasUse && task?.assigned === run.id && task.fence === run.fence ? task : undefined;
}

/** How a run ended whose task we do not move: as it left its task itself, else as it exited. */
export function endedAs(task: Task | undefined, run: RunFact): 'done' | 'failed' | 'parked' {
  const own = task?.assigned === run.id && task.fence === run.fence;
  if (own && (task.status === 'done' || task.status === 'pending-validation')) return 'done';
  if (own && task.status === 'waiting') return 'parked';
  if (own && task.status !== 'in-progress') return 'failed';
  return run.exit?.code === 0 && run.ended === undefined ? 'done' : 'failed';
}

/** With a `task`, the event says of it what the run used. */
export function complete(run: RunFact, outcome: string, task?: Task): Plan<undefined> {
  const reported = run.result?.usage ?? run.usage;
  // A provider that refused the first request already was paid nothing.
  const isFree = troubleOf(run) !== undefined && (reported === undefined || tokensOf(reported) === 0);
  const usage = isFree ? { cost_usd: 0, ...reported } : reported;
  const detail: NodeFields = {
    run: run.id,
    outcome,
    ...(run.started ? {} : { started: false }),
    ...(run.executor === undefined ? {} : { executor: run.executor }),
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
