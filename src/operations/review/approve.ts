import type * as z from 'zod/mini';
import { acceptedOf } from '#core/graph/acceptance.js';
import { evidenceOf, withEvidence } from '#core/graph/evidence.js';
import { acceptTask, approveTask } from '#core/graph/review.js';
import type { Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import { isTeamTask } from '#core/graph/team-work.js';
import { holdUnmerged } from '#core/graph/unmerged.js';
import { TroupeError } from '#kernel/errors.js';
import type { FilesContext, GraphContext, MachineContext, ProjectContext } from '#operations/contexts.js';
import type { Context } from '#operations/operation.js';
import { type Attempt, attemptOf, isAtWork } from '#operations/review/attempt.js';
import { gatherEvidence } from '#operations/review/evidence.js';
import { commitMove, type movedShape, moveOptions } from '#operations/shapes.js';

interface Approval {
  readonly id: string;
  readonly reason?: string | undefined;
  readonly actor?: string | undefined;
}

/** Approves the work of a task: merges it and starts what follows. Errors: `merge_conflict`, `task_running`. */
export async function approveWork(context: ProjectContext, input: Approval): Promise<z.infer<typeof movedShape>> {
  const view = await (await context.graph()).view();
  const task = taskOf(view, input.id);
  const attempt = task.status === 'pending-validation' ? await attemptOf(context, task) : undefined;
  const options = () => moveOptions(context, input);
  if (isTeamTask(task)) {
    const { checkTeamVerdict } = await import('./team-verdict.js');
    await checkTeamVerdict(context, view, task, options().by);
  }
  if (attempt === undefined) return commitMove(context, (now) => approveTask(now, input.id, options()));
  approveTask(view, input.id, options()); // refused early, before anything is merged
  await refuseAtWork(context, task, attempt);
  // From here on it cannot be rejected. Idempotent, also after the first caller was killed.
  await (await context.graph()).commit((now) => acceptTask(now, input.id, task.fence ?? 0, options()));
  const { afterwards } = await import('#operations/review/take-over.js');
  const merged = await merge(context, task, attempt);
  const evidence = await gatherEvidence(context, task, { attempt });
  const approved = await commitMove(context, (now) => {
    const plan = approveTask(now, input.id, options());
    return withEvidence(plan, input.id, { ...evidenceOf(taskOf(now, input.id)), ...evidence }, { merged });
  });
  const followUps = await afterwards(context, task.id, attempt.attempt);
  return { ...approved, warnings: [...approved.warnings, ...followUps] };
}

async function refuseAtWork(context: Pick<Context, 'runs'>, task: Task, attempt: Attempt): Promise<void> {
  if (!(await isAtWork(context, attempt))) return;
  throw new TroupeError('task_running', {
    what: `${attempt.run} is still running on ${task.id}, so its work cannot be merged yet.`,
    hint: `Wait for it, or stop it: \`troupe kill ${attempt.run}\`.`,
  });
}

/**
 * Commit of the merged work; undefined if there was nothing to merge. Errors: `merge_conflict` if it cannot be merged;
 * the task records the reason.
 */
async function merge(
  context: GraphContext & FilesContext & MachineContext,
  task: Task,
  attempt: Attempt,
): Promise<string | undefined> {
  const { handOver, takeOver } = await import('#operations/review/take-over.js');
  const work = await handOver(context, task, attempt.attempt);
  const outcome = await takeOver(context, task, attempt.attempt, work);
  if (outcome.outcome === 'merged') return outcome.commit;
  if (outcome.outcome !== 'held') return undefined;
  const { reason } = outcome;
  const conflict = outcome.conflict ? attempt.branch : undefined;
  const options = { now: context.clock.now(), by: { name: 'coordinator' }, reason, conflict };
  await (await context.graph()).commit((view) => {
    // Another caller may have approved and merged it concurrently.
    if (!acceptedOf(view.task(task.id))) return { events: [], result: undefined };
    return holdUnmerged(view, task.id, options);
  });
  throw new TroupeError('merge_conflict', {
    what: `The work of ${task.id} cannot be merged: ${reason}.`,
    hint: `Fix it on ${attempt.branch} and approve again, or send it back: \`troupe reject ${task.id} --reason "…"\`.`,
    details: { id: task.id, branch: attempt.branch, reason },
  });
}
