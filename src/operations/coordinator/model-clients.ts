import { randomUUID } from 'node:crypto';
import { MIN_RESERVATION } from '#core/coordinator/budget.js';
import type { Allowance } from '#core/coordinator/budget-book.js';
import { lastRunOf } from '#core/graph/attempts.js';
import type { Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import type { Mode } from '#core/runs/plan.js';
import { priceOf } from '#core/runs/prices.js';
import type { EffectiveConfig, ReadSettings, Settings } from '#core/settings/settings.js';
import { parseDuration } from '#kernel/duration.js';
import { TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { refuseHeldPhase } from '#operations/formations/dispatch-gate.js';
import { loadSettings } from '#operations/load-settings.js';
import { beginTurnOf } from '#operations/mail/turn-mail.js';
import type { Context } from '#operations/operation.js';
import { attemptAt } from '#operations/runs/prompt-attempt.js';
import { makeTree, publishEarlier, treeRequest, workUnderReview } from '#operations/runs/workplaces.js';
import { allowanceOf } from '#operations/settings/budget.js';
import {
  type ClientStanding,
  clientStanding,
  executorNamed,
  refuseUnknownExecutor,
  refuseUnsafeFolder,
  UNTRUSTED_GRAPH,
  usableExecutor,
} from '#operations/settings/usable-executors.js';
import type { AttemptRequest, PublishedCommit, RunTree } from '#ports/attempt-trees.js';
import type { RunSession } from '#ports/run-folders.js';
import type { ClientPlan } from '#ports/run-host.js';
import type { Workers } from '#ports/workers.js';
import type { ClientAttempt, ClientClaim, ClientFacts, ClientRun, Clients } from './clients.js';

/** Options of the service; they override the settings. */
export interface ServiceClientOptions {
  readonly executor?: string;
  readonly model?: string;
  readonly budgetUsd?: number;
  readonly budgetTokens?: number;
}

export interface ModelClientsOptions {
  readonly context: Context;
  readonly wishes?: ServiceClientOptions;
  /** Workers may have clients that this machine lacks. */
  readonly workers: Pick<Workers, 'rooms'>;
}

/** The clients of this machine, according to the project's settings and the options. */
export class ModelClients implements Clients {
  private readonly options: ModelClientsOptions;
  private wishes: ServiceClientOptions;
  private settings: Settings | undefined;
  private latest: { readonly at: number; readonly facts: ClientFacts } | undefined;

  constructor(options: ModelClientsOptions) {
    this.options = options;
    this.wishes = options.wishes ?? {};
  }

  /** Reads the settings again. Errors: those of the settings, mainly `bad_config`. */
  async reload(): Promise<ReadSettings> {
    const read = await loadSettings(this.options.context);
    this.settings = read.settings;
    this.latest = undefined;
    return read;
  }

  /** Whether the file differs from the settings in force; false if it cannot be read. */
  async areOutdated(): Promise<boolean> {
    try {
      const { settings } = await loadSettings(this.options.context);
      return JSON.stringify(settings) !== JSON.stringify(this.settings);
    } catch (error) {
      if (error instanceof TroupeError) return false;
      throw error;
    }
  }

  /** Overrides the settings from now on. Errors: `unknown_executor`. */
  async configure(wishes: ServiceClientOptions): Promise<void> {
    if (wishes.executor !== undefined) await refuseUnknownExecutor(this.options.context, wishes.executor);
    this.wishes = { ...this.wishes, ...wishes };
    this.latest = undefined;
  }

  /** Looks again at once for clients that could not be started: a person may have just installed or trusted them. */
  lookAgain(): void {
    const { missing, lostStandIns = [] } = this.latest?.facts ?? {};
    if (missing !== undefined || lostStandIns.length > 0) this.latest = undefined;
  }

  /** Default client and model of tasks that name none. */
  inForce(): { readonly executor: string; readonly model: string | undefined } {
    const settings = this.settings?.coordinator;
    return {
      executor: this.wishes.executor ?? settings?.executor ?? 'claude',
      model: this.wishes.model ?? settings?.model,
    };
  }

  /** The same, with the settings they come from. */
  async current(): Promise<EffectiveConfig> {
    return { settings: await this.read(), ...this.inForce() };
  }

  async facts(): Promise<ClientFacts> {
    const now = this.options.context.clock.now();
    if (this.latest && now - this.latest.at < WORK_LIMITS.clientLookMs) return this.latest.facts;
    const facts = await this.look();
    this.latest = { at: now, facts };
    return facts;
  }

  async usableAmong(names: readonly string[]): Promise<ReadonlySet<string>> {
    const usable = new Set<string>();
    for (const name of new Set(names)) {
      const { executor } = await this.standing(name);
      if (executor !== undefined) usable.add(name); // else its tasks wait; `why` shows the reason
    }
    return usable;
  }

  async prepare(view: GraphView, attempt: ClientAttempt, signal: AbortSignal): Promise<ClientRun> {
    const { context } = this.options;
    const task = taskOf(view, attempt.task);
    const travels = attempt.machine === 'worker';
    // A client's program is looked up where it is started; a worker rejects a run whose program is missing.
    const { executor, stream } = travels
      ? streamed(attempt.executor, await executorNamed(context, attempt.executor))
      : await usableExecutor(context, attempt.executor);
    const inForce = await this.current();
    const underReview = await workUnderReview(context, view, task); // committed: the prompt shows all of it
    const { execution, tree, prompt } = await attemptAt(context, view, task, inForce, {
      ...attempt,
      decided: attempt.executor,
      number: attempt.fence,
      travels,
    });
    await beginTurnOf(context, { task: task.id, fence: attempt.fence, mail: prompt.mail });
    // An error of git or the disk is found before the claim, and therefore costs no attempt.
    const request = travels && tree ? await this.ordered(task, tree, underReview) : undefined;
    if (tree && request === undefined) await makeTree(context, task, tree, { underReview, signal });
    else if (tree === undefined) {
      if (travels) await usableExecutor(context, attempt.executor); // it needs no worktree after all and runs here
      await refuseUnsafeFolder(context, executor, context.projectFolder);
      await refuseHeldPhase(context, view, task, context.projectFolder);
    }
    const folder = tree?.folder ?? context.projectFolder;
    // A session is stored where its client worked.
    const session = request ? undefined : await sessionOf(context, task, { executor: attempt.executor, folder });
    const sessionId = session?.id ?? (executor.sessions === 'chosen' ? randomUUID() : undefined);
    const { limit } = attempt.grant ?? {};
    const price = priceOf(await context.prices(), { model: execution.model, client: stream });
    // A client's cost limit includes the earlier cost of the session.
    const spent = session?.before?.cost_usd ?? 0;
    const client: ClientPlan = {
      request: {
        taskId: task.id,
        runId: attempt.run,
        model: execution.model,
        provider: execution.provider,
        mode: execution.mode as Mode,
        sessionId,
        resume: session !== undefined,
        budgetUsd: limit?.usd === undefined ? undefined : limit.usd + spent,
        prompt: prompt.text,
        agents: prompt.mail?.agents ?? {},
        values: { task_title: task.title, task_description: task.description ?? '' },
      },
      silentEnd: inForce.settings.coordinator.silent_end === 'ask' ? executor.silentEnd : 'done',
      ...(session?.before === undefined ? {} : { before: session.before }),
      ...(limit === undefined ? {} : { limit }),
      ...(price === undefined ? {} : { price }),
      ...(prompt.strategy === undefined ? {} : { strategy: prompt.strategy }),
      ...(prompt.roleParts.length === 0 ? {} : { roleParts: prompt.roleParts }),
      ...(task.verify_cmd === undefined ? {} : { check: task.verify_cmd }),
      mail: prompt.mail?.right ?? 'none',
    };
    return { client, ...(tree === undefined ? {} : { tree }), ...(request === undefined ? {} : { request }) };
  }

  /**
   * Request for a worker to create the worktree of an attempt. Files that would mislead a client are not checked here:
   * they are at the worker, which rejects the run.
   */
  private async ordered(task: Task, tree: RunTree, underReview: PublishedCommit | undefined): Promise<AttemptRequest> {
    const { context } = this.options;
    if (tree.mode === 'full') await publishEarlier(context, task, tree.attempt);
    return await treeRequest(context, task, tree, underReview);
  }

  /** Availability of a client, here or at a worker. */
  private async standing(name: string): Promise<ClientStanding & { readonly notHere?: true }> {
    const here = await clientStanding(this.options.context, name);
    if (here.executor !== undefined || here.missing === undefined || here.missing === UNTRUSTED_GRAPH) return here;
    const rooms = await this.options.workers.rooms();
    return rooms.some(({ executors }) => executors.includes(name)) ? { executor: name, notHere: true } : here;
  }

  async leave({ task, fence }: Pick<ClientAttempt, 'task' | 'fence'>, tree: RunTree): Promise<void> {
    if (tree.attempt !== fence) return;
    await (await this.options.context.trees()).remove({ task, attempt: fence });
  }

  async enter(view: GraphView, { task, executor: name }: ClientClaim, tree: RunTree): Promise<void> {
    const { context } = this.options;
    const claimed = taskOf(view, task);
    const { signal } = new AbortController();
    await makeTree(context, claimed, tree, { underReview: await workUnderReview(context, view, claimed), signal });
    await refuseHeldPhase(context, view, taskOf(view, task), tree.folder);
    await refuseUnsafeFolder(context, (await usableExecutor(context, name)).executor, tree.folder);
  }

  /** Spending limits from the settings and the options. */
  async allowance(): Promise<Allowance> {
    return allowanceOf((await this.read()).budget, this.wishes);
  }

  /** Rejects caps under which no run of a client could ever start. Errors: `budget_spent`. */
  async refuseUselessCaps(): Promise<void> {
    const { caps, moreUsd, moreTokens } = await this.allowance();
    const bounds: [string, number | undefined, number][] = [
      ['--budget-usd', moreUsd, MIN_RESERVATION.usd],
      ['--budget-tokens', moreTokens, MIN_RESERVATION.tokens],
      ['budget.usd_per_day', caps.usdPerDay, MIN_RESERVATION.usd],
      ['budget.usd_total', caps.usdTotal, MIN_RESERVATION.usd],
      ['budget.usd_per_task', caps.usdPerTask, MIN_RESERVATION.usd],
      ['budget.tokens_per_day', caps.tokensPerDay, MIN_RESERVATION.tokens],
    ];
    const tooSmall = bounds.find(([, cap, least]) => (cap ?? least) < least);
    if (!tooSmall || this.inForce().executor === 'shell') return;
    const [name, cap, least] = tooSmall;
    throw new TroupeError('budget_spent', {
      what: `${name} is ${cap}, and a run of a client is not started with less than ${least}.`,
      hint: 'Raise it or leave it out; `troupe service start --executor shell` runs commands only.',
    });
  }

  private async read(): Promise<Settings> {
    return this.settings ?? (await this.reload()).settings;
  }

  private async notHere(): Promise<ReadonlySet<string>> {
    const names = (await this.options.workers.rooms()).flatMap(({ executors }) => executors);
    const missing = new Set<string>();
    for (const name of new Set(names)) if ((await this.standing(name)).notHere === true) missing.add(name);
    return missing;
  }

  private async look(): Promise<ClientFacts> {
    const { wishes } = this;
    const settings = await this.read();
    const { agency, checkpoint, coordinator, budget, database } = settings;
    const name = wishes.executor ?? coordinator.executor;
    const common = {
      compaction: settings.agency.compaction,
      autoTriage: agency.auto_triage,
      worksHere: database.project === undefined || database.work === 'anywhere',
      terms: {
        idleMs: parseDuration(coordinator.agent_idle_timeout),
        timeoutMs: parseDuration(coordinator.agent_timeout),
        checkpointTurns: checkpoint.auto_interval_turns,
        checkpointMs: checkpoint.auto_interval_mins * 60_000,
      },
      allowance: allowanceOf(budget, wishes),
    };
    const { executor, missing } = await this.standing(name);
    const standIns: string[] = [];
    const lostStandIns: string[] = [];
    for (const standIn of coordinator.fallback) {
      const standing = await this.standing(standIn);
      if (standing.executor !== undefined) standIns.push(standIn);
      else lostStandIns.push(cannotTakeOver(standIn, standing));
    }
    return { ...common, executor, missing, standIns, lostStandIns, notHere: await this.notHere() };
  }
}

/** Executor and the name of its stream format. */
function streamed(name: string, { executor, definition }: Awaited<ReturnType<typeof executorNamed>>) {
  return { executor, stream: definition ? definition.stream : name };
}

/** `shell` has no reason of its own because it is no client. */
function cannotTakeOver(name: string, { missing }: ClientStanding): string {
  return `${name} cannot take over: ${missing?.text ?? 'it runs commands only.'}`;
}

/** Clients that find a session by its id alone, from any folder. */
const FOUND_ANYWHERE: readonly string[] = ['codex'];

/**
 * Session of the last attempt at a task, if the next attempt can resume it: same client, a place where the client finds
 * it, same iteration of a cycle, same role, and progress was made in it. A resumed session without progress is not
 * tried again.
 */
export async function sessionOf(
  context: Pick<Context, 'runs'>,
  task: Task,
  { executor, folder }: { readonly executor: string; readonly folder: string },
): Promise<RunSession | undefined> {
  const last = lastRunOf(task);
  if (last === undefined || last.sessionOver || last.iteration !== (task.loop_iteration ?? 0)) return undefined;
  const session = await (await context.runs()).session(last.run);
  if (session?.executor !== executor || !session.progressed) return undefined;
  return session.folder === folder || FOUND_ANYWHERE.includes(executor) ? session : undefined;
}
