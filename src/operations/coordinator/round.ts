import { type BudgetBook, isBounded } from '#core/coordinator/budget-book.js';
import { type SpawnRequest, spawn } from '#core/coordinator/dispatch.js';
import type { ErrandFacts } from '#core/coordinator/errand.js';
import {
  type CoordinatorDecision,
  type CoordinatorSnapshot,
  decide,
  NO_FACTS,
  type PartFacts,
} from '#core/coordinator/parts.js';
import { type Budget, type Terms, USUAL_TERMS } from '#core/coordinator/snapshot.js';
import { TRIAGE } from '#core/coordinator/triage.js';
import { NO_WORKER_FACTS } from '#core/coordinator/worker-facts.js';
import { commitCommandHashes } from '#core/graph/commands.js';
import { runNumber } from '#core/graph/run-name.js';
import type { NodeFields } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import type { Books } from '#operations/settings/books.js';
import type { GraphStore } from '#ports/graph-store.js';
import type { RunHost } from '#ports/run-host.js';
import type { TrustedCommands } from '#ports/trust.js';
import type { ClientFacts, Clients } from './clients.js';
import type { DispatchHost } from './dispatch-host.js';
import { Errands } from './errands.js';
import { effectsOf, type FactsInput, type HostTools, type PersistedState } from './host.js';
import type { RoundHosts } from './hosts.js';

/**
 * Dependencies of rounds; the loop that runs them adds the timing. Every part needs a host, even one that does nothing:
 * all rounds then decide alike.
 */
export interface RoundOptions {
  readonly store: GraphStore;
  readonly runs: RunHost;
  readonly persisted: PersistedState;
  readonly clients: Clients;
  /** The ledger, shared by everything in this process that spends money. */
  readonly books: Books;
  /** Commands that may run on this machine. */
  readonly trust: Pick<TrustedCommands, 'trusts' | 'look' | 'add'>;
  /** Timeouts that override the settings. */
  readonly terms: Partial<Terms>;
  /** Creates the hosts of all parts, once per round object. */
  readonly hosts: (tools: HostTools) => RoundHosts;
  /** Called after each tick that acted, with its decisions, for logging. Must not throw. */
  readonly onDecisions: (decisions: readonly CoordinatorDecision[]) => void;
  /** Called when a tick failed; the next one tries again. Must not throw. */
  readonly onError: (error: unknown) => void;
}

/** A snapshot without the parts that must be read at the time of the commit. */
export type RoundFacts = Omit<CoordinatorSnapshot, 'view' | 'budget'>;

/**
 * One round: core decides on the facts, all events are committed together, and effects follow without a lock. Slow work
 * is an errand: its answer is a fact of a later round.
 */
export class Round {
  private readonly options: RoundOptions;
  private readonly errands: Errands;
  private readonly hosts: RoundHosts;
  private readonly effect: ReturnType<typeof effectsOf>;
  private book: BudgetBook | undefined;
  private clients: ClientFacts | undefined;
  private latest: PartFacts = NO_FACTS;

  /** `wake` is called whenever an errand is answered. */
  constructor(options: RoundOptions, wake: () => void) {
    this.options = options;
    this.errands = new Errands(wake);
    this.hosts = options.hosts({ ...options, clock: options.store.clock, errands: this.errands });
    this.effect = effectsOf(this.hosts);
  }

  get maxAgents(): number {
    return this.hosts.runs.maxAgents;
  }

  /** Maximum number of concurrent runs, from the next round on. */
  set maxAgents(most: number) {
    this.hosts.runs.maxAgents = most;
  }

  /** Reserves run numbers up to `highest`; they are never assigned again. */
  keepNumbers(highest: number): void {
    this.hosts.dispatch.keepNumbers(highest);
  }

  /** Called once before the first round: does work that a previous service left unfinished. */
  begin(): void {
    this.hosts.runs.begin();
  }

  /** Errands that are under way or whose answer is not committed yet. */
  errandsNow(): ErrandFacts {
    return this.errands.facts();
  }

  /** Resolves when the first of these errands is over. */
  async firstOf(keys: readonly string[]): Promise<void> {
    await this.errands.firstOf(keys);
  }

  /**
   * Gathers facts, decides, commits once and carries out effects. Returns the decisions and the number of effects that
   * may have changed the facts.
   */
  async runRound(paused: boolean): Promise<{ decisions: readonly CoordinatorDecision[]; changed: number }> {
    const { store, onDecisions } = this.options;
    this.hosts.runs.landAgain();
    const facts = await this.gather(paused);
    const { result: decisions } = await this.options.books.commit((view) => {
      const decided = decide({ ...facts, budget: this.budget(), view }, store.clock.now());
      this.trustOwnCommands(decided, view);
      return { events: decided.flatMap((decision) => decision.events), result: decided };
    });
    const view = await store.view();
    // In parallel: no run waits for the worktree of another.
    const changes = await Promise.all(decisions.map((decision) => this.carryOut(decision, view)));
    if (decisions.length > 0) onDecisions(decisions);
    return { decisions, changed: changes.reduce((sum, changed) => sum + changed, 0) };
  }

  /** Decisions of a round at this time, without committing or carrying out anything. */
  async preview(paused: boolean): Promise<readonly CoordinatorDecision[]> {
    const facts = await this.gather(paused);
    const view = await this.options.store.view();
    return decide({ ...facts, budget: this.budget(), view }, this.options.store.clock.now());
  }

  /** Starts a run of one task at once, regardless of slots and pause. Errors: those of the decision. */
  async spawn(request: SpawnRequest): Promise<{ agent_id: string; pid?: number }> {
    const facts = await this.gather(false);
    const snapshot = (view: GraphView) => ({ ...facts, budget: this.budget(), view });
    return await spawnRun({ ...this.options, dispatch: this.hosts.dispatch, snapshot }, request);
  }

  /** Clears failures after a change of the configuration: preparations that failed may succeed now. */
  tryAgain(): void {
    this.hosts.dispatch.tryAgain();
    this.hosts.providers.forget();
  }

  /** State beside the graph, for status displays. */
  facts() {
    const { executor, missing, standIns = [], lostStandIns = [] } = this.clients ?? {};
    const { backOff } = this.hosts.breaker;
    const { sessions, executors, agency, elsewhere } = this.latest;
    const { underWay } = this.errands.facts();
    const failures = this.hosts.dispatch.failures();
    const budget = this.budget();
    return {
      ...(executor === undefined ? {} : { executor }),
      ...(missing === undefined ? {} : { missing }),
      ...(backOff ? { backOffUntil: backOff.until } : {}),
      ...(budget === undefined ? {} : { budget }),
      ...(sessions.length === 0 ? {} : { sessions }),
      sessionClients: executors,
      agency,
      ...(elsewhere === NO_WORKER_FACTS ? {} : { elsewhere }),
      holds: this.hosts.providers.holds(),
      standIns,
      lostStandIns,
      triaged: new Set(TRIAGE.subjectsIn(underWay)),
      unprepared: new Map([...failures].map(([task, { text }]) => [task, text])),
      retryTimes: [
        ...[...failures.values()].map(({ until }) => until),
        ...this.hosts.notices.times(),
        ...this.hosts.issues.times(),
      ],
      notBegun: this.hosts.workflows.refusals(),
    };
  }

  /** The current budget; opens the ledger even if nothing is limited. */
  async spending(): Promise<Budget> {
    const { books, clients: source, store } = this.options;
    const book = await books.open();
    return book.budget((this.clients ?? (await source.facts())).allowance, store.clock.now());
  }

  /** Waits until no errand is under way; their answers are lost and the errands are repeated by the next service. */
  async close(): Promise<void> {
    await this.errands.close();
  }

  /** Gathers the facts of all hosts, in the order of the parts. */
  private async gather(paused: boolean): Promise<RoundFacts> {
    const { trust, clients: source, books, runs, store, terms } = this.options;
    trust.look();
    const clients = await source.facts();
    this.clients = clients;
    if (isBounded(clients.allowance)) this.book ??= await books.open();
    const look = { view: await store.view(), clients };
    const hosts: readonly { facts(look: FactsInput): Promise<object> }[] = Object.values(this.hosts);
    const parts: object[] = [];
    for (const host of hosts) parts.push(await host.facts(look));
    const facts: PartFacts = Object.assign({}, NO_FACTS, ...parts);
    this.latest = facts;
    const runFacts = { runs: await runs.facts(), errands: this.errands.facts() };
    return { ...facts, ...runFacts, trust, paused, terms: { ...USUAL_TERMS, ...clients.terms, ...terms } };
  }

  /** Carries out a committed decision; an effect that fails does not affect the others. */
  private async carryOut(decision: CoordinatorDecision, view: GraphView): Promise<number> {
    try {
      return await this.effect(decision, view);
    } catch (error) {
      this.options.onError(error);
      return 0;
    }
  }

  /** Read at the time of use: model calls may reserve amounts between two reads. */
  private budget(): Budget | undefined {
    return this.clients && this.book?.budget(this.clients.allowance, this.options.store.clock.now());
  }

  /**
   * Trusts the commands of tasks that the coordinator itself creates (assignment, scoring): they are Troupe's own text
   * and come from no file.
   */
  private trustOwnCommands(decided: readonly CoordinatorDecision[], view: GraphView): void {
    const { trust } = this.options;
    const own = decided.flatMap((decision) => (decision.do === 'add-task' ? decision.events : []));
    if (own.length > 0) trust.add(commitCommandHashes((id) => view.task(id) as NodeFields | undefined, own, trust));
  }
}

interface SpawnParts extends Pick<RoundOptions, 'store' | 'books' | 'runs' | 'onDecisions'> {
  readonly dispatch: DispatchHost;
  readonly snapshot: (view: GraphView) => CoordinatorSnapshot;
}

/**
 * Starts a requested run by the usual steps: prepare, claim, start. Errors: those of the decision, `not_ready` if it
 * has changed meanwhile.
 */
async function spawnRun(
  { store, books, runs, onDecisions, dispatch, snapshot }: SpawnParts,
  request: SpawnRequest,
): Promise<{ agent_id: string; pid?: number }> {
  const { clock } = store;
  const at = clock.now();
  const view = await store.view();
  const plan = spawn(snapshot(view), request, at);
  const before = { at, grant: plan.grant };
  dispatch.keepNumbers(runNumber(plan.run));
  await dispatch.writePlan(view, plan, new AbortController().signal);
  try {
    const { result } = await books.commit((now) => {
      const decision = spawn(snapshot(now), request, clock.now(), before);
      if (decision.run !== plan.run || decision.fence !== plan.fence || decision.executor !== plan.executor)
        throw new TroupeError('not_ready', { what: `${plan.task} has just changed.`, hint: 'Try again.' });
      return { events: decision.events, result: decision };
    });
    await dispatch.carryOut.dispatch(result, await store.view());
    onDecisions([result]);
  } catch (error) {
    await dispatch.drop(plan.run);
    throw error;
  }
  const pid = (await runs.listed()).find((row) => row.id === plan.run)?.pid;
  return { agent_id: plan.run, ...(pid === undefined ? {} : { pid }) };
}
