import { setTimeout as delay } from 'node:timers/promises';
import type { ErrandAnswer } from '#core/coordinator/errand.js';
import { FINISH, type FinishResult, reviewOfCommand } from '#core/coordinator/finish.js';
import { checkFailure, endingOf } from '#core/coordinator/run-end.js';
import { settleOne } from '#core/coordinator/settle.js';
import type { RunFact } from '#core/coordinator/snapshot.js';
import type { Evidence } from '#core/graph/evidence.js';
import { needsReview } from '#core/graph/moves.js';
import type { Task } from '#core/graph/task.js';
import { uncheckedOf } from '#core/review/command-findings.js';
import { attemptOfBranch, isPlainSlug } from '#core/runs/names.js';
import { listFiles } from '#core/runs/state.js';
import { asTroupeError, TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { isUnreachable } from '#kernel/out-of-reach.js';
import { StepQueue } from '#kernel/step-queue.js';
import type { FilesContext, GraphContext, ProjectContext } from '#operations/contexts.js';
import { inspectHandIn } from '#operations/formations/hand-in.js';
import type { Context } from '#operations/operation.js';
import { attemptOf, refuseUncommitted } from '#operations/review/attempt.js';
import { type CheckResult, gatherEvidence } from '#operations/review/evidence.js';
import { noteTraces } from '#operations/review/note-outside.js';
import { receive, receiveBranch } from '#operations/review/receive.js';
import { handOver, landWhenClean, protectedWork, takeOverWhenReached, tidyUp } from '#operations/review/take-over.js';
import { keepHandedLesson } from '#operations/roles/handed-lesson.js';
import type { AttemptKey } from '#ports/attempt-trees.js';
import type { AttemptEnd } from '#ports/worker-gateway.js';
import type { Workers } from '#ports/workers.js';
import { NO_WORKERS } from './no-workers.js';

/**
 * Work after a successful run, done without a lock. Every step is idempotent, because a crash may cause it to be
 * repeated.
 */
export class Finishing {
  private readonly context: ProjectContext;
  private readonly note: (text: string) => void;
  private readonly workers: Pick<Workers, 'endOf'>;
  /** Bounds the work at once: where many runs ended together, the first results come early, not all of them late. */
  private readonly turns = new StepQueue({
    width: SURFACE_LIMITS.finishesAtOnce,
    patienceMs: SURFACE_LIMITS.finishTurnMs,
  });
  private blockedSince: number | undefined;

  constructor(context: ProjectContext, note: (text: string) => void, workers: Pick<Workers, 'endOf'>) {
    this.context = context;
    this.note = note;
    this.workers = workers;
  }

  /**
   * Checks the work of a run and merges it unless a person has to look at it first. Waits for a remote or database that
   * is unreachable.
   */
  async finishWhenReached(task: Task, run: RunFact, signal: AbortSignal): Promise<FinishResult> {
    return await onceReached(() => this.turns.run(() => this.finish(task, run)), signal);
  }

  /** The same without waiting. Errors: `remote_unreachable`, and those of an unreachable database. */
  async finish(task: Task, run: RunFact): Promise<FinishResult> {
    const { context } = this;
    const attempt = await attemptOf(context, task);
    const end = this.workers.endOf(run.id);
    const received = attempt && end ? await receive(context, task, attempt, end) : undefined;
    const looked = await inspectHandIn(context, task, attempt?.folder, run.result?.lastWords);
    const isOpen = looked?.handIn.report !== undefined || endingOf(run, task) === 'silent';
    const refused = isOpen
      ? undefined
      : (checkFailure(run, task) ?? looked?.refused ?? (await refusalOf(context, task, attempt)));
    if (attempt && looked?.only !== undefined) await this.leaveOut(attempt, looked.only);
    const isGood = !isOpen && refused === undefined;
    const work = attempt && isGood ? (received ?? (await handOver(context, task, attempt.attempt))) : undefined;
    if (attempt) await noteTraces(context, { task: task.id, attempt: attempt.attempt });
    const evidence = {
      ...(await gatherEvidence(context, task, { checked: checkOf(task, run), attempt })),
      ...(await evidenceOfReview(context, task)),
    };
    const handIn = looked === undefined ? {} : { handIn: looked.handIn };
    if (isOpen) return { of: 'finish', evidence, ...handIn };
    if (refused !== undefined) return { of: 'finish', evidence, ...handIn, refused };
    const problem = await keepHandedLesson(context, task, { id: run.id, words: run.result?.lastWords });
    if (problem !== undefined) this.note(problem);
    if (attempt === undefined || needsReview(task)) return { of: 'finish', evidence, ...handIn };
    return {
      of: 'finish',
      evidence,
      ...handIn,
      merge: await takeOverWhenReached(context, task, attempt.attempt, work),
    };
  }

  /** Drops all changes of a judging task except the files it hands in. */
  private async leaveOut({ task, attempt }: AttemptKey, only: string): Promise<void> {
    const files = await (await this.context.trees()).keepOnly({ task, attempt }, only);
    if (files.length > 0) this.note(`${task}: left out, since it judges only: ${listFiles(files)}`);
  }

  /**
   * Runs after the end of an attempt in a worktree is committed: removes what is no longer needed, and lands the work
   * if configured.
   */
  async after({ id, taskId, fence, exit, branch = '' }: RunFact): Promise<void> {
    const attempt = attemptOfBranch(branch) ?? fence;
    const end = exit?.code === 0 ? undefined : this.workers.endOf(id);
    if (end) await this.receiveFailed({ task: taskId, attempt, branch }, end);
    // After a successful run the traces were recorded before the merge.
    if (exit?.code !== 0) await noteTraces(this.context, { task: taskId, attempt });
    await tidyUp(this.context, taskId, attempt);
    await this.land();
  }

  /** Fetches the work of a failed attempt. It is worth keeping, but nothing depends on it. */
  private async receiveFailed(attempt: AttemptKey & { readonly branch: string }, end: AttemptEnd): Promise<void> {
    try {
      await receiveBranch(this.context, attempt, end);
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      this.note(`${attempt.branch} stays at the remote: ${asTroupeError(error).message}`);
    }
  }

  /** Work that a previous service left unfinished. */
  async begin(): Promise<void> {
    const trees = await this.context.trees();
    if ((await trees.workplace({ isolation: 'auto', mode: 'full', follows: false })).place !== 'worktree') return;
    for (const tree of await trees.list()) {
      if (tree.removable && isPlainSlug(tree.slug)) await tidyUp(this.context, tree.slug, tree.attempt);
    }
    await this.land();
  }

  /** Whether work waits for the person's files to become clean, and it is time to check again. */
  looksAgain(now: number): boolean {
    return this.blockedSince !== undefined && now - this.blockedSince >= WORK_LIMITS.pollIntervalMs / 2;
  }

  async land(): Promise<void> {
    this.blockedSince = undefined;
    const landed = await landWhenClean(this.context);
    if (landed === 'waits') this.blockedSince = this.context.clock.now();
    if (landed === 'landed') this.note('landed: the branch of the person moved forward to wg/integration');
  }
}

/** Reason why the work in a worktree is not accepted; undefined if there is none. */
async function refusalOf(
  context: GraphContext & FilesContext,
  task: Task,
  attempt: AttemptKey | undefined,
): Promise<string | undefined> {
  try {
    await refuseUncommitted(context, task);
    return attempt && (await protectedWork(context, task, attempt.attempt));
  } catch (error) {
    if (isUnreachable(error) || !(error instanceof TroupeError)) throw error;
    return asTroupeError(error).message;
  }
}

/**
 * Retries work that failed because a remote or database is unreachable, until aborted, and for at most
 * `SURFACE_LIMITS.remoteAwayMs`.
 */
async function onceReached<Answer>(work: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  for (let pauses = SURFACE_LIMITS.remoteAwayMs / SURFACE_LIMITS.remoteAgainMs; ; pauses--) {
    try {
      return await work();
    } catch (error) {
      if (!isUnreachable(error) || signal.aborted || pauses <= 0) throw error;
    }
    await delay(SURFACE_LIMITS.remoteAgainMs, undefined, { signal }).catch(() => undefined); // after an abort: one last try
  }
}

/** Evidence of a review's step, as the review recorded it; empty if it cannot be read. */
async function evidenceOfReview(context: Pick<Context, 'inspector'>, task: Task): Promise<Evidence> {
  const review = reviewOfCommand(task);
  if (review === undefined) return {};
  const { folder } = await context.inspector();
  try {
    const plan = await folder.readPlan(review);
    const node = plan.steps.find((step) => step.task_id === task.id)?.node;
    const [read] = node === undefined ? [] : await folder.readEvidence(review, [node]);
    const ended = read?.evidence;
    if (ended === undefined) return {};
    const unchecked = uncheckedOf(ended);
    return {
      verify_cmd: ended.command,
      ms: ended.duration_ms,
      ...(unchecked === undefined ? {} : { unchecked }),
      ...(ended.exit_code === null ? {} : { exit: ended.exit_code }),
    };
  } catch (error) {
    if (error instanceof TroupeError) return {};
    throw error;
  }
}

/** Check result of a run. A command and its check run as one; a client's check is recorded separately. */
function checkOf(task: Task, { executor, exit, result }: RunFact): CheckResult | undefined {
  if (task.verify_cmd === undefined) return undefined;
  if (result?.check) return { command: task.verify_cmd, exit: result.check.code, ms: result.check.ms };
  return executor === undefined && exit?.check ? { command: task.verify_cmd, exit: exit.code } : undefined;
}

/**
 * Settles runs that ended while no service was up, by the same decisions and under the same lock. Returns the tasks
 * that changed. Errors: those of a commit, mainly `locked`; the next caller tries again.
 */
export async function settleEnded(context: ProjectContext, runs: readonly string[]): Promise<readonly string[]> {
  const moved: string[] = [];
  const folders = await context.runs();
  const store = await context.graph();
  const finishing = new Finishing(context, () => undefined, NO_WORKERS);
  const mailStore = await context.mail();
  for (const id of runs) {
    const run = await folders.ended(id);
    if (run === undefined) continue;
    const answers = new Map<string, ErrandAnswer>();
    const view = await store.view();
    const mail = new Map((await mailStore.taskMail()).map(({ task: of, ...fact }) => [of, fact]));
    const task = view.task(run.taskId);
    const [first] = settleOne(view, run, answers, context.clock.now(), mail);
    if (task === undefined || first === undefined) continue;
    if (first.do === 'finish') {
      const finished = await finishedNow(finishing, task, run);
      if (finished === undefined) continue; // left to the next caller
      answers.set(FINISH.key(id), finished);
    }
    const { entries } = await store.commit((now) => ({
      events: settleOne(now, run, answers, context.clock.now(), mail).flatMap(({ events }) => events),
      result: undefined,
    }));
    if (entries.length === 0) continue; // another process was faster
    moved.push(task.id);
    if (run.exit?.code === 0) await mailStore.commitTurn(task.id, run.fence);
    await folders.tidy(id);
    if (run.branch !== undefined) await finishing.after(run);
  }
  return moved;
}

/** Undefined if a remote or database is unreachable. */
async function finishedNow(finishing: Finishing, task: Task, run: RunFact): Promise<FinishResult | undefined> {
  try {
    return await finishing.finish(task, run);
  } catch (error) {
    if (isUnreachable(error)) return undefined;
    throw error;
  }
}
