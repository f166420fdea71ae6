import type { DispatchDecision, RunRequest, WithDispatch } from '#core/coordinator/dispatch.js';
import { PREPARE, type PreparationFailure, type PreparedRun } from '#core/coordinator/preparing.js';
import { ENVIRONMENT } from '#core/graph/commands.js';
import { needsCommits } from '#core/graph/meta.js';
import { runNumber } from '#core/graph/run-name.js';
import type { GraphView } from '#core/graph/view.js';
import { isRelease } from '#core/playbooks/record.js';
import { asTroupeError, TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { isUnreachable } from '#kernel/out-of-reach.js';
import type { CommandPlaces } from '#operations/runs/workplaces.js';
import type { RunTree } from '#ports/attempt-trees.js';
import type { RunPlan } from '#ports/run-host.js';
import type { FactsInput, HostOf, HostTools } from './host.js';
import type { WorkerFactsHost } from './worker-facts-host.js';

/**
 * Handles runs from their request to their start: the run and its worktree are prepared, a tick claims its task, and
 * the run starts. If the preparation fails, the task stays unchanged; an error after the claim releases it.
 */
export class DispatchHost implements HostOf<'dispatch'> {
  private readonly tools: HostTools;
  /** Working places of commands that follow merged work. */
  private readonly commands: CommandPlaces;
  private readonly elsewhere: WorkerFactsHost;
  private readonly plans = new Map<string, { readonly plan: RunPlan; readonly tree: RunTree | undefined }>();
  /** Worktrees of commands that are not claimed yet, by run. */
  private readonly trees = new Map<string, { readonly task: string; readonly fence: number; readonly tree: RunTree }>();
  private lastNumber = 0;
  private lastSession: number | undefined;

  constructor(tools: HostTools, commands: CommandPlaces, elsewhere: WorkerFactsHost) {
    this.tools = tools;
    this.commands = commands;
    this.elsewhere = elsewhere;
  }

  readonly facts = async ({ view, clients }: FactsInput): Promise<WithDispatch> => {
    const { executor, standIns } = clients;
    const nextRun = Math.max(view.lastRun, this.lastNumber) + 1;
    const elsewhere = await this.elsewhere.facts(clients);
    return { nextRun, executor, standIns, lastSession: this.lastSession, prepares: true, elsewhere };
  };

  readonly carryOut: HostOf<'dispatch'>['carryOut'] = {
    prepare: (decision, view) => {
      this.keepNumbers(runNumber(decision.run));
      this.tools.errands.start(PREPARE, PREPARE.key(decision.task), (signal) => this.prepare(view, decision, signal));
      return 0;
    },
    'drop-prepared': async ({ task, run }) => {
      this.tools.errands.forget(PREPARE.key(task));
      if (run !== undefined) await this.drop(run);
      return 1;
    },
    dispatch: (decision, view) => {
      this.lastSession = decision.session;
      this.tools.errands.forget(PREPARE.key(decision.task));
      this.trees.delete(decision.run);
      return this.begin(view, decision);
    },
  };

  /** Clears failures after a change of the configuration: preparations that failed may succeed now. */
  tryAgain(): void {
    for (const task of this.failures().keys()) this.tools.errands.forget(PREPARE.key(task));
  }

  /** Failed preparations, keyed by task. */
  failures(): ReadonlyMap<string, PreparationFailure> {
    const failures = new Map<string, PreparationFailure>();
    for (const { about, answer } of PREPARE.answers(this.tools.errands.facts()))
      if (answer.of === 'unprepared') failures.set(about, answer);
    return failures;
  }

  /**
   * Reserves run numbers up to this one, including numbers missing from the log: of runs being prepared, or with files
   * left over.
   */
  keepNumbers(highest: number): void {
    this.lastNumber = Math.max(this.lastNumber, highest);
  }

  /** Never throws: a failure is an answer as well. */
  private async prepare(
    view: GraphView,
    request: RunRequest,
    signal: AbortSignal,
  ): Promise<PreparedRun | PreparationFailure> {
    const { run, fence, executor, machine, grant } = request;
    const at = this.tools.clock.now();
    try {
      await this.writePlan(view, request, signal);
      const place = machine === undefined ? {} : { machine };
      return { of: 'prepared', run, fence, executor, ...place, at, ...(grant === undefined ? {} : { grant }) };
    } catch (error) {
      const { message, why, hint } = asTroupeError(error);
      const pauseMs = isUnreachable(error) ? SURFACE_LIMITS.remoteAgainMs : WORK_LIMITS.prepareAgainMs;
      const until = this.tools.clock.now() + pauseMs;
      return { of: 'unprepared', text: [message, why, hint].filter(Boolean).join(' '), until };
    }
  }

  /**
   * Prepares a run: the files in the folder of a client's run, or the worktree of a command. Any error is the reason
   * why there can be no run now.
   */
  async writePlan(view: GraphView, request: RunRequest, signal: AbortSignal): Promise<void> {
    const { runs, clock, clients } = this.tools;
    const { run: id, task, fence, timeoutMs, executor } = request;
    if (executor === 'shell') {
      if (request.machine === 'worker') return; // its worker creates the worktree
      const tree = await this.treeOf(view, request, signal);
      if (tree) this.trees.set(id, { task, fence, tree });
      return;
    }
    const { client, tree, request: travels } = await clients.prepare(view, request, signal);
    if (tree && travels) this.elsewhere.hand(view.task(task), id, { request: travels, mode: tree.mode });
    const environment = environmentOf(ENVIRONMENT.of(view.task(task)));
    const own = { id, taskId: task, fence, timeoutMs, executor, command: '', check: '', environment, sandboxed: true };
    const plan = { ...own, client, ...inTree(tree), startedAt: clock.now() };
    await runs.prepare(plan);
    this.plans.set(id, { plan, tree: travels ? undefined : tree });
  }

  /** Discards a prepared run that was not claimed. */
  async drop(run: string): Promise<void> {
    const { plan, tree } = this.plans.get(run) ?? {};
    const entered = plan && tree ? { task: plan.taskId, fence: plan.fence, tree } : this.trees.get(run);
    this.plans.delete(run);
    this.trees.delete(run);
    if (entered) await this.tools.clients.leave(entered, entered.tree);
    await this.tools.runs.discard(run);
  }

  /**
   * Starts a run whose task is claimed. Any error releases the task; returns the number of facts that changed at once.
   */
  private async begin(view: GraphView, dispatched: DispatchDecision): Promise<number> {
    const { runs, clock } = this.tools;
    const { run, task, fence, timeoutMs, executor } = dispatched;
    try {
      const plan =
        executor === 'shell' ? await this.commandOf(view, dispatched) : await this.clientOf(view, dispatched);
      await runs.start({ ...plan, startedAt: clock.now() });
      return 0;
    } catch (error) {
      const client = executor === 'shell' ? {} : { executor };
      const refused = { id: run, taskId: task, fence, timeoutMs, startedAt: clock.now(), ...client };
      await runs.refuse(refused, asTroupeError(error).message);
      return 1;
    }
  }

  /** The prepared plan, after its worktree is checked. */
  private async clientOf(view: GraphView, { run, ...claim }: DispatchDecision): Promise<RunPlan> {
    const prepared = this.plans.get(run);
    this.plans.delete(run);
    const { clients } = this.tools;
    if (!prepared) throw new TroupeError('executor_missing');
    if (prepared.tree) await clients.enter(view, claim, prepared.tree);
    return prepared.plan;
  }

  /** Worktree of a command at a worker, which creates it. */
  private async handedTree(view: GraphView, { run, task: id, fence }: DispatchDecision): Promise<RunTree | undefined> {
    const task = view.task(id);
    const ordered = task && (await this.commands.order(task, fence));
    if (ordered) this.elsewhere.hand(task, run, { request: ordered.request, mode: 'shell' });
    return ordered?.tree;
  }

  /** Worktree of a command that follows merged work, created if needed; undefined if it runs in the project. */
  private async treeOf(view: GraphView, { task: id, fence }: Pick<RunRequest, 'task' | 'fence'>, signal: AbortSignal) {
    const task = view.task(id);
    return task && needsCommits(view, task) ? await this.commands.enter(task, fence, signal) : undefined;
  }

  /** Plan for a task's command, read after the claim. */
  private async commandOf(view: GraphView, dispatched: DispatchDecision) {
    const { run: id, task: taskId, fence, timeoutMs } = dispatched;
    const task = view.task(taskId);
    const tree =
      dispatched.machine === 'worker'
        ? await this.handedTree(view, dispatched)
        : await this.treeOf(view, dispatched, new AbortController().signal);
    const [command, check] = [task?.exec ?? 'false', task?.verify_cmd ?? ''];
    const environment = environmentOf(ENVIRONMENT.of(task));
    const sandboxed = task === undefined || !isRelease(view, task);
    return { id, taskId, fence, timeoutMs, command, check, environment, sandboxed, ...inTree(tree) };
  }
}

/** The worktree in a plan; its path is known to the machine that runs it. */
function inTree(tree: RunTree | undefined): Pick<RunPlan, 'tree'> {
  return tree === undefined ? {} : { tree: { attempt: tree.attempt, mode: tree.mode } };
}

/** Inputs of a task from its `environment` field. */
function environmentOf(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}
