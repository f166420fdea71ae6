import type { EventDraft, Patch, Plan } from '#core/graph/event.js';
import { concernsCurrentAttempt, FLIP_CHECK, type FlipCheck, flipCheckOf } from '#core/graph/flip-check.js';
import { checkFence, failTask, logTask, type Mover } from '#core/graph/moves.js';
import type { Status, Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import { isJsonObject } from '#kernel/json.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { objectIn } from '#kernel/question.js';
import { cut, inert } from '#kernel/text.js';
import { startedAfter } from './evaluation-gate.js';
import type { Evaluation } from './record-evaluation.js';

/** Source of the scores handled here. */
const SOURCE = 'flip';

/** A stronger model's verdict on doubted work. */
export interface FlipVerification {
  readonly verdict: 'confirmed' | 'rejected';
  readonly reason: string;
}

/** Result of a verification; `moot`: there was nothing left to verify. */
export interface VerificationResult {
  readonly task_id: string;
  readonly verdict: FlipVerification['verdict'] | 'moot';
  readonly reason: string;
  readonly status: Status;
  readonly warnings: readonly string[];
}

/**
 * Patch that marks a task as doubted for a score below the threshold, or clears the mark; committed with the score. A
 * run patches only the task of its own evaluation.
 */
export function flipPatch(task: Task, evaluation: Evaluation, by: Mover, threshold: number | undefined): Patch[] {
  const { id, source, score, attempt } = evaluation;
  if (source !== SOURCE || (by.fence !== undefined && by.taskId !== `evaluate-${task.id}`)) return [];
  if (threshold !== undefined && score < threshold) {
    const check = { evaluation: id, score, attempt, state: 'low' } satisfies FlipCheck;
    return [{ id: task.id, set: { flip_check: check } }];
  }
  return FLIP_CHECK.of(task) === undefined ? [] : [{ id: task.id, unset: ['flip_check'] }];
}

/**
 * The low score to verify, or the reason why nothing is left to verify. Errors: `unknown_task`, `not_yours` for a run
 * of another task, `stale_attempt`, `not_evaluable` if no score is low.
 */
export function flipDoubt(view: GraphView, id: string, by: Mover): FlipCheck | { readonly moot: string } {
  const task = taskOf(view, id);
  checkVerifier(view, task, by);
  const check = flipCheckOf(task);
  if (!check) {
    throw new TroupeError('not_evaluable', {
      what: `${id} has no low flip score to verify.`,
      hint: 'Set agency.flip_verification_threshold, then run `troupe evaluate run ID --flip`.',
      details: { id },
    });
  }
  if (check.state === 'confirmed' || check.state === 'rejected')
    return { moot: `its score was ${check.state} already` };
  return concernsCurrentAttempt(task, check)
    ? check
    : { moot: `it is ${task.status}, and the score is of what was done before` };
}

/** Allows only the verification task of this task, or a person. The run that did the work is refused. */
function checkVerifier(view: GraphView, task: Task, by: Mover): void {
  if (by.fence === undefined) return;
  const own = by.taskId === `.verify-flip-${task.id}` ? view.task(by.taskId) : undefined;
  if (own?.tags?.includes('evaluation')) {
    checkFence(view, own, by);
    return;
  }
  throw new TroupeError('not_yours', {
    what: `${by.name} may not verify ${task.id}.`,
    details: { id: task.id },
  });
}

/**
 * Applies a verdict: confirmed work gets a log entry and stays unchanged, rejected work fails with the reason. Moot if
 * another score has come since the `question`. Errors: those of `flipDoubt`.
 */
export function verifyFlip(
  view: GraphView,
  id: string,
  question: FlipCheck,
  verification: FlipVerification,
  options: { readonly by: Mover; readonly now: number },
): Plan<VerificationResult> {
  const task = taskOf(view, id);
  const check = flipDoubt(view, id, options.by);
  const other = 'moot' in check ? check.moot : 'another score was recorded meanwhile';
  if ('moot' in check || check.evaluation !== question.evaluation) {
    return { events: [], result: { task_id: id, verdict: 'moot', reason: other, status: task.status, warnings: [] } };
  }
  const { verdict, reason } = verification;
  const words = `flip verification ${verdict}: score ${check.score.toFixed(2)}: ${reason}`;
  const moves = { now: options.now, by: { name: 'coordinator' }, detail: { flip: verdict } };
  const { events, result } =
    verdict === 'confirmed'
      ? logTask(view, id, words, moves)
      : failTask(view, id, { ...moves, reason: words, rejected: task.status === 'done' });
  const warnings = verdict === 'rejected' ? startedAfter(view, id) : [];
  return {
    events: withCheck(events, id, { ...check, state: verdict }),
    result: { task_id: id, verdict, reason, status: result.status, warnings },
  };
}

function withCheck(events: readonly EventDraft[], id: string, check: FlipCheck): EventDraft[] {
  return events.map((event) => ({
    ...event,
    patch: event.patch.map((patch) =>
      patch.id === id && !('put' in patch) && !('del' in patch)
        ? { ...patch, set: { ...patch.set, flip_check: { ...check } } }
        : patch,
    ),
  }));
}

/** Parses a verdict; undefined for any other answer. A verdict without a reason is invalid. */
export function verificationIn(text: string): FlipVerification | undefined {
  return objectIn(text, (value) => {
    const { verdict, reason } = value;
    const outcome = verdict === 'confirm' ? 'confirmed' : verdict === 'reject' ? 'rejected' : undefined;
    if (!outcome || typeof reason !== 'string' || reason.trim() === '') return undefined;
    return { verdict: outcome, reason: cut(inert(reason.trim()), TEAM_LIMITS.verificationReasonCharacters) };
  });
}

/** Details of the low score, as untrusted text for the verifying model. */
export function lowScoreText(check: FlipCheck, record: unknown): string {
  const { notes, dimensions } = isJsonObject(record) ? record : {};
  return [
    `score: ${check.score}`,
    typeof notes === 'string' ? `notes: ${notes}` : '',
    isJsonObject(dimensions) ? `dimensions: ${JSON.stringify(dimensions)}` : '',
  ]
    .filter((line) => line !== '')
    .join('\n');
}
