import * as z from 'zod/mini';
import { withEvidence } from '#core/graph/evidence.js';
import { checkDone, checkFence, doneTask, needsReview } from '#core/graph/moves.js';
import type { Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import { isTeamTask } from '#core/graph/team-work.js';
import { holdUnmerged, reportTask } from '#core/graph/unmerged.js';
import { TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { plural } from '#kernel/text.js';
import type { FilesContext, GraphContext, MachineContext, ProjectContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { type Context, operation } from '#operations/operation.js';
import { ACTOR, TASK_ID } from '#operations/options.js';
import { type Attempt, attemptOf, isAtWork, isAtWorkElsewhere, refuseUncommitted } from '#operations/review/attempt.js';
import { type CheckResult, gatherEvidence } from '#operations/review/evidence.js';
import { commitMove, flag, movedShape, moveOptions, personForces, text } from '#operations/shapes.js';
import type { Publication } from '#ports/attempt-trees.js';
import { refuseUntrustedCommand } from './trusted.js';

export const done = operation({
  name: 'task.done',
  command: 'done',
  group: 'Tasks',
  kind: 'write',
  forRuns: 'own',
  summary: 'Mark a task as done',
  examples: ['troupe done write-the-parser', 'troupe done write-the-parser --skip-verify --json'],
  input: z.strictObject({
    id: TASK_ID,
    actor: ACTOR,
    force: option('Even if something is unfinished', flag),
    converged: option('Its cycle has converged', flag),
    skip_verify: option('Skip its check (persons only)', flag),
    reason: text,
  }),
  output: movedShape,
  async run(context: ProjectContext, input) {
    const skip = personForces(context, input.skip_verify, '--skip-verify');
    const options = {
      ...moveOptions(context, input),
      force: personForces(context, input.force),
      converged: input.converged,
    };
    const view = await (await context.graph()).view();
    const task = view.task(input.id);
    if (task === undefined || task.status === 'done') {
      return commitMove(context, (now) => doneTask(now, input.id, { ...options, now: context.clock.now() }));
    }
    if (context.caller.kind === 'run') await refuseOpenConversations(context, task);
    if (isTeamTask(task)) (await import('#core/graph/team-plan.js')).refusePlanless(view, task);
    const attempt = await attemptOf(context, task);
    const command = skip ? undefined : task.verify_cmd;
    if (command !== undefined || attempt !== undefined || task.require_commit === true) {
      checkFence(view, task, options.by);
      checkDone(view, task, options);
    }
    // The check of a run on another machine is executed there, and evaluated after the run has ended.
    const runsHere = command === undefined || !(await isAtWorkElsewhere(context, attempt));
    const checked = command !== undefined && runsHere ? await verify(context, task, command, attempt) : undefined;
    if (!options.force) await refuseUncommitted(context, task);
    const work =
      attempt && !(await isAtWork(context, attempt))
        ? await (await import('#operations/review/take-over.js')).handOver(context, task, attempt.attempt)
        : undefined;
    const unchecked = skip && task.verify_cmd !== undefined ? 'skipped' : undefined;
    const evidence = await gatherEvidence(context, task, { checked, unchecked, attempt });
    const where =
      attempt === undefined || needsReview(task)
        ? undefined
        : await whatBecomes(context, task, attempt, { ...options, work });
    const finished = await commitMove(context, (now) => {
      if (command !== undefined || attempt !== undefined) sameClaim(taskOf(now, input.id), task);
      const late = { ...options, now: context.clock.now() };
      if (where?.is === 'reported') return reportTask(now, input.id, { ...late, evidence });
      if (where?.is === 'held')
        return holdUnmerged(now, input.id, { ...late, reason: where.reason, conflict: where.conflict, evidence });
      const plan = doneTask(now, input.id, late);
      return withEvidence(plan, input.id, evidence, { merged: where?.merged });
    });
    if (where?.is !== 'done' || attempt === undefined) return finished;
    const { afterwards } = await import('#operations/review/take-over.js');
    return { ...finished, warnings: [...finished.warnings, ...(await afterwards(context, task.id, attempt.attempt))] };
  },
});

/** Refuses while questions that the task asked are unanswered and not withdrawn. Errors: `conversations_open`. */
export async function refuseOpenConversations(context: Pick<Context, 'mail'>, { id }: Task): Promise<void> {
  const open = (await (await context.mail()).taskMail()).find(({ task }) => task === id)?.open ?? 0;
  if (open > 0)
    throw new TroupeError('conversations_open', {
      what: `${plural(open, 'conversation')} opened from ${id} ${open === 1 ? 'is' : 'are'} still unanswered.`,
      details: { id, open },
    });
}

type Outcome =
  | { readonly is: 'reported' }
  | { readonly is: 'held'; readonly reason: string; readonly conflict: string | undefined }
  | { readonly is: 'done'; readonly merged?: string };

/** Decides the outcome. Work in a worktree is merged before its task is done, but only after its run has ended. */
async function whatBecomes(
  context: GraphContext & FilesContext & MachineContext,
  task: Task,
  attempt: Attempt,
  { force, work }: { readonly force: boolean; readonly work: Publication | undefined },
): Promise<Outcome> {
  if (await isAtWork(context, attempt)) return force ? { is: 'done' } : { is: 'reported' };
  const { takeOver } = await import('#operations/review/take-over.js');
  const merge = await takeOver(context, task, attempt.attempt, work);
  if (merge.outcome === 'held')
    return { is: 'held', reason: merge.reason, conflict: merge.conflict ? attempt.branch : undefined };
  return { is: 'done', ...(merge.outcome === 'merged' ? { merged: merge.commit } : {}) };
}

/**
 * Refuses if the task was claimed again during the check: the result then concerns earlier work. Errors:
 * `stale_attempt`.
 */
function sameClaim(now: Task, before: Task): void {
  if ((now.fence ?? 0) === (before.fence ?? 0)) return;
  throw new TroupeError('stale_attempt', {
    what: `${now.id} was claimed again while its work was being checked.`,
    details: { id: now.id, fence: now.fence ?? 0, yours: before.fence ?? 0 },
  });
}

const LAST_WORDS_CHARACTERS = 4 * 1024;

/**
 * Runs the check of a task in the folder of its work, without holding a lock, because it may take minutes. Errors:
 * `verify_failed` unless it exits with 0, `untrusted_command`, `untrusted_graph`.
 */
export async function verify(
  context: GraphContext & FilesContext & MachineContext,
  task: Task,
  command: string,
  attempt: Attempt | undefined,
): Promise<CheckResult> {
  await refuseUntrustedCommand(context, task);
  // Verified first: a worktree replaced by a symbolic link must not be used as a working directory.
  const tree = attempt && (await (await context.trees()).stateOf(attempt));
  const outcome = await (await context.programs()).command(command, {
    timeMs: WORK_LIMITS.verifyMs,
    variables: {
      WG_TASK_ID: task.id,
      ...(attempt && tree ? { WG_WORKTREE_PATH: tree.path, WG_BRANCH: attempt.branch } : {}),
    },
    ...(attempt && tree ? { folder: attempt.folder } : {}),
  });
  if (outcome.code === 0 && outcome.end === 'exited') return { command, exit: 0, ms: outcome.durationMs };
  const how =
    outcome.end === 'timed-out'
      ? `took longer than ${WORK_LIMITS.verifyMs / 1_000} s`
      : `ended with ${outcome.code ?? outcome.end}`;
  throw new TroupeError('verify_failed', {
    what: `The check of ${task.id} ${how}: ${command.slice(0, 120)}`,
    details: {
      id: task.id,
      code: outcome.code,
      end: outcome.end,
      output: outcome.output.slice(-LAST_WORDS_CHARACTERS),
    },
  });
}
