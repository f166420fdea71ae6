import { CHECKPOINT } from '#core/coordinator/checkpoints.js';
import { FINISH } from '#core/coordinator/finish.js';
import type { WithRuns } from '#core/coordinator/reap.js';
import type { RunFact } from '#core/coordinator/snapshot.js';
import { TRIAGE, type TriageResult, triageBlocks, verdictIn, verdictWithout } from '#core/coordinator/triage.js';
import type { Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { RunStatus } from '#core/runs/run-status.js';
import { TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { FilesContext, GraphContext, MachineContext, ModelContext } from '#operations/contexts.js';
import type { Context } from '#operations/operation.js';
import { stateOfAttempt, treeNumber } from '#operations/review/attempt.js';
import { ask } from '#operations/settings/ask.js';
import type { Finishing } from './finishing.js';
import { commitOnly, type FactsInput, type HostOf, type HostTools } from './host.js';

interface RunsHostParts {
  readonly maxAgents: number;
  /** Work after a successful run. */
  readonly finishing: Pick<Finishing, 'finishWhenReached' | 'after' | 'begin' | 'looksAgain' | 'land'>;
  /** Marks the messages shown to a turn of a task as read. */
  readonly commitTurn: (task: string, fence: number) => Promise<void>;
  /** Asks a model how far a dead run had come. */
  readonly triage: (dead: DeadRun, signal: AbortSignal) => Promise<TriageResult>;
}

/** Host for runs: their work is checked and merged, their ends are settled. */
export class RunsHost implements HostOf<'runs'> {
  /** Maximum number of concurrent runs, from the next round on. */
  maxAgents: number;
  private readonly tools: HostTools;
  private readonly parts: RunsHostParts;

  constructor(tools: HostTools, parts: RunsHostParts) {
    this.tools = tools;
    this.parts = parts;
    this.maxAgents = parts.maxAgents;
  }

  readonly facts = async ({ clients }: FactsInput): Promise<WithRuns> => {
    return { maxAgents: this.maxAgents, autoTriage: clients.autoTriage, finishes: true };
  };

  readonly carryOut: HostOf<'runs'>['carryOut'] = {
    finish: async ({ run: id, task }, view) => {
      const [work, run] = [taskOf(view, task), await this.factOf(id)];
      const { finishing } = this.parts;
      this.tools.errands.start(FINISH, FINISH.key(id), async (signal) =>
        run ? await finishing.finishWhenReached(work, run, signal) : { of: 'finish', evidence: {} },
      );
      return 0;
    },
    'settle-exit': async ({ run, task, outcome }, view) => {
      const status = outcome === 'kept' ? await this.exitOf(run) : outcome;
      if (status === 'done') await this.commitTurn(run, view.task(task));
      return this.settle(run, status);
    },
    'mark-dead': ({ run }) => {
      this.tools.errands.forget(TRIAGE.key(run));
      return this.settle(run, 'dead');
    },
    triage: (dead) => {
      this.tools.errands.start(TRIAGE, TRIAGE.key(dead.run), (signal) => this.parts.triage(dead, signal));
      return 0;
    },
    'top-up': async ({ run, limit }) => {
      await this.tools.runs.allow(run, limit);
      return 0;
    },
    kill: async ({ run, why }) => {
      await this.tools.runs.end(run, why);
      return 0;
    },
    release: commitOnly,
  };

  /** Work that a previous service left unfinished. */
  begin(): void {
    const { errands, onError } = this.tools;
    errands.startUnanswered('tidy', () => this.parts.finishing.begin(), onError);
  }

  /** Checks from time to time whether waiting work can be landed because the person's files are clean. */
  landAgain(): void {
    const { errands, clock, onError } = this.tools;
    const { finishing } = this.parts;
    if (finishing.looksAgain(clock.now())) errands.startUnanswered('land', () => finishing.land(), onError);
  }

  /** Only under the claim whose prompt contained the messages; if the write fails, they are shown again. */
  private async commitTurn(id: string, task: Task | undefined): Promise<void> {
    const run = await this.factOf(id);
    if (run?.executor === undefined || task === undefined || task.fence !== run.fence) return;
    await this.parts.commitTurn(task.id, run.fence).catch(this.tools.onError);
  }

  /** Cleans up after a run whose end is committed. */
  private async settle(id: string, status: RunStatus): Promise<number> {
    const { errands, runs, onError } = this.tools;
    const run = await this.factOf(id);
    for (const kind of [FINISH, CHECKPOINT]) errands.forget(kind.key(id));
    if (run?.branch !== undefined)
      errands.startUnanswered(`tidy ${id}`, () => this.parts.finishing.after(run), onError);
    await runs.forget(id, status);
    return 1;
  }

  private async exitOf(id: string): Promise<RunStatus> {
    return (await this.factOf(id))?.exit?.code === 0 ? 'done' : 'failed';
  }

  private async factOf(id: string): Promise<RunFact | undefined> {
    return await this.tools.runs.fact(id);
  }
}

interface DeadRun {
  readonly run: string;
  readonly task: string;
  readonly fence: number;
}

/**
 * Asks a model how far a dead run had come. Without a usable answer in time, the traces of the run decide. Changes
 * nothing and may be repeated.
 */
export async function triageRun(
  context: GraphContext & FilesContext & ModelContext & MachineContext,
  dead: DeadRun,
  signal: AbortSignal,
): Promise<TriageResult> {
  const view = await (await context.graph()).view();
  const task = taskOf(view, dead.task);
  const tree = await treeOf(context, task);
  const printed = await (await context.runs()).part(dead.run, 'output', {
    most: WORK_LIMITS.triageOutputBytes,
  });
  const { answer, failure } = await ask(context, {
    purpose: 'triage',
    name: 'triage',
    timeMs: WORK_LIMITS.triageMs,
    task: task.id,
    signal,
    blocks: triageBlocks(task, printed?.text ?? ''),
    take: verdictIn,
  });
  if (answer) return { of: 'triage', ...answer };
  const verdict = verdictWithout({
    checkpoint: task.checkpoint !== undefined,
    commits: tree !== undefined && tree.ahead > 0,
  });
  const remains = verdict === 'continue' ? 'it left something to continue from' : 'it left nothing to continue from';
  return { of: 'triage', verdict, reason: `${remains}; no model was available: ${failure?.reason}` };
}

async function treeOf(context: Pick<Context, 'runs' | 'trees'>, task: Task): Promise<{ ahead: number } | undefined> {
  try {
    const attempt = (await treeNumber(context, task)) ?? 0;
    return await stateOfAttempt(context, { task: task.id, attempt });
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    return undefined; // no repository or no worktrees
  }
}
