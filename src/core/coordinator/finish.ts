import { type ErrandFailure, ErrandKind } from '#core/coordinator/errand.js';
import type { RunFact } from '#core/coordinator/snapshot.js';
import type { Tick } from '#core/coordinator/tick.js';
import { ENVIRONMENT } from '#core/graph/commands.js';
import type { Plan } from '#core/graph/event.js';
import { type Evidence, evidenceOf, withEvidence } from '#core/graph/evidence.js';
import { missingHandIn } from '#core/graph/hands-in.js';
import { doneTask, failTask, type MoveOptions } from '#core/graph/moves.js';
import type { NodeFields, Task } from '#core/graph/task.js';
import { attemptReport, holdUnmerged } from '#core/graph/unmerged.js';
import {
  askToReport,
  awaitsReport,
  isSessionTurn,
  isTurn,
  reviewUnreported,
  UNREPORTED,
  unreported,
} from '#core/graph/unreported.js';
import { blockPhase, failPhase, type HandIn, passPhase } from '#core/playbooks/hand-in.js';
import { lessonOf } from '#core/playbooks/role-place.js';
import { timestamp } from '#kernel/clock.js';
import { isJsonObject } from '#kernel/json.js';
import { endingOf } from './run-end.js';
import type { BaseDecision } from './tick.js';

/** Result of checking and merging the work of a run that succeeded. */
export interface FinishResult {
  readonly of: 'finish';
  readonly evidence: Evidence;
  /** Reason why its task is not done after all. */
  readonly refused?: string;
  /** Files that a phase of a crew left in the folder of its run. */
  readonly handIn?: HandIn;
  /** Undefined if there was nothing to merge yet. `held`: the merge failed, and a person has to look at it. */
  readonly merge?:
    | { readonly outcome: 'merged'; readonly commit: string }
    | { readonly outcome: 'nothing' | 'kept' }
    | { readonly outcome: 'held'; readonly reason: string; readonly conflict: boolean };
}

/** Checks and merges the work of a run. */
export const FINISH = new ErrandKind<FinishResult>('finish');

/** Requests that the work of a successful run is checked and merged; a later pass receives the result. */
export interface FinishDecision extends BaseDecision {
  readonly do: 'finish';
  readonly run: string;
  readonly task: string;
}

/** Whether work is checked before it counts as done. */
export interface WithFinishing {
  readonly finishes: boolean;
}

type Settle<Decision> = (outcome: 'done' | 'failed' | 'kept', plan: Plan<unknown>, reason: string) => Decision;

/**
 * Settles a run that succeeded. If its work has to be checked or merged first, that is requested, and its task stays in
 * progress until the result is there: no dependent may start on files that lack the work.
 */
export function finish<Decision>(
  tick: Tick<WithFinishing>,
  run: RunFact,
  task: Task,
  settled: Settle<Decision>,
  options: MoveOptions & { readonly detail: NodeFields },
): Decision | FinishDecision | undefined {
  const { graph, facts } = tick;
  const { errands } = facts;
  const converged = attemptReport(task)?.converged === true;
  // Forced: a predecessor that was reopened meanwhile does not undo this run's work.
  const done = () => doneTask(graph, task.id, { ...options, force: true, converged });
  const missing = missingHandIn(task);
  if (missing !== undefined) {
    if (!awaitsReport(task) && run.result?.sessionId !== undefined)
      return settled(
        'kept',
        askToReport(graph, task.id, options),
        `It did not hand in ${missing}, and is asked for it`,
      );
    const reason = `It did not hand in ${missing}`;
    return settled('failed', failTask(graph, task.id, { ...options, reason }), reason);
  }
  const silent = endingOf(run, task) === 'silent';
  if (!facts.finishes || !hasMoreToIt(run, task)) {
    return silent ? settleUnreported(tick, run, task, settled, options, {}) : settled('done', done(), 'It succeeded');
  }
  const key = FINISH.key(run.id);
  const answer = FINISH.answer(errands, key);
  if (answer === undefined) {
    if (errands.underWay.has(key)) return undefined;
    return { do: 'finish', run: run.id, task: task.id, reason: 'Its work is checked and merged', events: [] };
  }
  const result = answer.of === 'finish' ? answer : heldResult(answer);
  const { merge, handIn } = result;
  const evidence = { ...evidenceOf(task), ...result.evidence };
  if (silent && handIn?.report === undefined) return settleUnreported(tick, run, task, settled, options, evidence);
  if (handIn?.report !== undefined) {
    const blocked = blockPhase(graph, task, { ...handIn, report: handIn.report }, options);
    return settled(
      'kept',
      withEvidence(blocked, task.id, evidence, { unset: ['reported'] }),
      'It is stuck, and says so',
    );
  }
  if (result.refused !== undefined) {
    const failed = failTask(graph, task.id, { ...options, reason: result.refused });
    const noted = handIn === undefined ? [] : failPhase(graph, task, handIn);
    const plan = withEvidence(failed, task.id, evidence, { unset: ['reported'] });
    return settled('failed', { ...plan, events: [...plan.events, ...noted] }, result.refused);
  }
  if (merge?.outcome === 'held') {
    const conflict = merge.conflict ? run.branch : undefined;
    return settled(
      'done',
      holdUnmerged(graph, task.id, { ...options, reason: merge.reason, conflict, evidence }),
      merge.reason,
    );
  }
  const merged = merge?.outcome === 'merged' ? merge.commit : undefined;
  const passed = handIn === undefined ? [] : passPhase(graph, task, timestamp(options.now), handIn);
  const plan = withEvidence(done(), task.id, evidence, { merged, unset: ['reported'] });
  return settled('done', { ...plan, events: [...plan.events, ...passed] }, 'It succeeded');
}

/**
 * Settles a run that exited without an error and reported nothing: its session is asked once, then a person. Changed
 * files do not show that the task is finished.
 */
function settleUnreported<Decision>(
  tick: Tick,
  run: RunFact,
  task: Task,
  settled: Settle<Decision>,
  options: MoveOptions & { readonly detail: NodeFields },
  evidence: Evidence,
): Decision {
  const words = run.result?.lastWords;
  if (awaitsReport(task) || run.result?.sessionId === undefined) {
    // Later turns of the same member wait for this one, and team messages must not be held up by a report: a turn that
    // reports nothing counts as done.
    if (isTurn(task)) {
      const silent = { ...options, force: true, detail: { ...options.detail, reason: UNREPORTED } };
      return settled('done', doneTask(tick.graph, task.id, silent), UNREPORTED);
    }
    if (isSessionTurn(task))
      return settled('failed', failTask(tick.graph, task.id, { ...options, reason: unreported(words) }), UNREPORTED);
    const plan = reviewUnreported(tick.graph, task.id, { ...options, words });
    return settled('done', withEvidence(plan, task.id, evidence), 'It ended without a report');
  }
  return settled('kept', askToReport(tick.graph, task.id, options), 'It ended without a report, and is asked for one');
}

function hasMoreToIt(run: RunFact, task: Task): boolean {
  const isChecked = task.verify_cmd !== undefined || task.require_commit === true || (task.artifacts?.length ?? 0) > 0;
  const handsOn = lessonOf(task, run.result?.lastWords) !== undefined;
  return run.branch !== undefined || isChecked || handsOn || reviewOfCommand(task) !== undefined;
}

/** The review for which a task runs a command of the repository; the result is in the evidence of that review. */
export function reviewOfCommand(task: Task): string | undefined {
  const environment = ENVIRONMENT.of(task);
  if (!isJsonObject(environment) || environment['IN_COMMAND'] === undefined) return undefined;
  const { IN_REVIEW: review } = environment;
  return typeof review === 'string' ? review : undefined;
}

function heldResult({ text }: ErrandFailure): FinishResult {
  return {
    of: 'finish',
    evidence: {},
    merge: { outcome: 'held', reason: `could not be merged: ${text}`, conflict: false },
  };
}
