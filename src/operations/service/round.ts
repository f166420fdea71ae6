import type { AgencyFacts } from '#core/coordinator/agency-facts.js';
import { BudgetBook, isBounded } from '#core/coordinator/budget-book.js';
import { checkpointKey } from '#core/coordinator/checkpoints.js';
import { isComplete } from '#core/coordinator/complete.js';
import { decide } from '#core/coordinator/decide.js';
import type { Decision } from '#core/coordinator/decision.js';
import { type SpawnRequest, spawn } from '#core/coordinator/dispatch.js';
import { finishKey } from '#core/coordinator/finish.js';
import { placeKey } from '#core/coordinator/placing.js';
import { prepareKey } from '#core/coordinator/preparing.js';
import type { Session } from '#core/coordinator/sessions.js';
import type { BackOff, Budget, CoordinatorSnapshot, ErrandFacts, Placed, Terms } from '#core/coordinator/snapshot.js';
import { triageKey } from '#core/coordinator/triage.js';
import type { Plan } from '#core/graph/event.js';
import type { Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { awaitedOutside, type FileFacts } from '#core/graph/wait.js';
import type { Clock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import type { SessionFacts } from '#operations/sessions/session-facts.js';
import type { Commit, GraphStore } from '#ports/graph-store.js';
import type { RunHost, RunStatus } from '#ports/run-host.js';
import type { RunAtWork } from './auto-checkpoint.js';
import type { ClientFacts, Clients } from './clients.js';
import { Errands } from './errands.js';
import type { Finishing } from './finishing.js';
import type { PeopleDesk } from './people-desk.js';
import { Preparing } from './preparing.js';
import type { Recovery } from './recovery.js';
import { checked, environmentOf } from './run-command.js';

/** What rounds work with; the loop that calls them adds when. */
export interface RoundOptions {
  readonly store: GraphStore;
  readonly runs: RunHost;
  readonly clock: Clock;
  readonly maxAgents: number;
  /** The pause an earlier life was in, and where the present one is kept. */
  readonly backOff?: BackOff;
  readonly saveBackOff?: (backOff: BackOff | undefined) => void;
  /** Facts of files that tasks wait for. */
  readonly files?: (paths: Iterable<string>) => Promise<FileFacts>;
  /** Sessions and what was said to them; without it everything is one. */
  readonly sessions?: { read(view: GraphView): Promise<SessionFacts> };
  /** Model clients; without them only commands run. */
  readonly clients?: Clients;
  /** Who does the work; not said: nobody is known. */
  readonly agency?: () => Promise<AgencyFacts | undefined>;
  /** What follows the good end of a run; without it nothing does. */
  readonly finishing?: Finishing;
  /** People who do tasks; without them, programs only. */
  readonly people?: PeopleDesk;
  /** What happens when runs die, and what keeps their knowledge; without it nothing does. */
  readonly recovery?: Recovery;
  /** Asks where a task belongs; without it rules say. */
  readonly placing?: (task: string, signal: AbortSignal) => Promise<Placed>;
  /** What of the terms is another than the settings say. */
  readonly terms?: Partial<Terms>;
  /** Told what each tick that acted decided, after it was carried out; for a log. Must not throw. */
  readonly onDecisions?: (decisions: readonly Decision[]) => void;
  /** Told when a tick could not be completed; the next one tries again. Must not throw. */
  readonly onError?: (error: unknown) => void;
}

/**
 * One look at the facts and what follows from it: core decides, everything is committed at once, and only then acted on,
 * without a lock. What takes its time is an errand: its answer is a fact of a later round.
 */
export class Round {
  /** How many runs at once, from the next round on. */
  maxAgents: number;
  private readonly options: RoundOptions;
  private readonly errands: Errands;
  private readonly preparing: Preparing;
  private sessions: readonly Session[] | undefined;
  private lastSession: number | undefined;
  private backOff: BackOff | undefined;
  private book: BudgetBook | undefined;
  private known: ClientFacts | undefined;
  private completed: boolean | undefined;
  private agency: AgencyFacts | undefined;

  /** `wake` is called whenever an errand has its answer. */
  constructor(options: RoundOptions, wake: () => void) {
    this.options = options;
    this.maxAgents = options.maxAgents;
    this.backOff = options.backOff;
    this.errands = new Errands(wake);
    const { runs, clock, clients } = options;
    this.preparing = new Preparing({ runs, clock, clients });
  }

  /** What is known beside the graph, for those who ask how things stand. */
  facts() {
    const budget = this.budget();
    return {
      ...(this.known?.executor === undefined ? {} : { executor: this.known.executor }),
      ...(this.known?.missing === undefined ? {} : { missing: this.known.missing }),
      ...(this.backOff ? { backOffUntil: this.backOff.until } : {}),
      ...(budget ? { budget } : {}),
      ...(this.sessions ? { sessions: this.sessions } : {}),
      ...(this.agency ? { agency: this.agency } : {}),
      triaged: this.triaged(),
      unprepared: this.unprepared(),
    };
  }

  /** Once, before the first round: what an earlier life had no time for. */
  begin(): void {
    const { finishing, onError = () => undefined } = this.options;
    if (finishing) this.errands.aside('tidy', () => finishing.begin(), onError);
  }

  /** What was asked for and has not been taken down yet. */
  errandsNow(): ErrandFacts {
    return this.errands.facts();
  }

  /** Facts, decisions, one commit, effects. Answers how many effects may have changed the facts. */
  async play(paused: boolean): Promise<number> {
    const { clock } = this.options;
    this.landAgain();
    const snapshot = await this.snapshot(paused, await this.awaitedFiles());
    const { result: decisions } = await this.commit((view) => {
      const decided = decide({ ...snapshot, view }, clock.now());
      return { events: decided.flatMap((decision) => decision.events), result: decided };
    });
    let changed = 0;
    // What is committed must be carried out: one effect that fails takes no other with it.
    const carryOut = async (decision: Decision) => {
      try {
        changed += await this.effect(decision);
      } catch (error) {
        this.options.onError?.(error);
      }
    };
    const slow = decisions.filter((decision) => decision.do === 'dispatch' && decision.executor !== 'shell');
    for (const decision of decisions) if (!slow.includes(decision)) await carryOut(decision);
    await Promise.all(slow.map(carryOut)); // nobody waits for another's worktree
    if (decisions.length > 0) this.options.onDecisions?.(decisions);
    return changed;
  }

  /** What a round would decide now. Nothing of it is committed or done. */
  async preview(paused: boolean): Promise<readonly Decision[]> {
    const snapshot = await this.snapshot(paused, await this.awaitedFiles());
    return decide({ ...snapshot, view: await this.options.store.view() }, this.options.clock.now());
  }

  /** A run of one task at once, whatever the slots and the pause say. Errors as of the decision. */
  async spawn(request: SpawnRequest): Promise<{ agent_id: string; pid?: number }> {
    const { store, clock } = this.options;
    const snapshot = await this.snapshot(false, new Map());
    const view = await store.view();
    const at = clock.now();
    const wanted = spawn({ ...snapshot, view }, request, at);
    this.preparing.reserve(wanted);
    if (wanted.executor !== 'shell') await this.preparing.setDown(view, wanted);
    try {
      const { result } = await this.commit((now) => {
        const decision = spawn({ ...snapshot, view: now }, request, clock.now(), at);
        if (decision.fence !== wanted.fence || decision.executor !== wanted.executor)
          throw new TroupeError('not_ready', { what: `${wanted.task} was changed just now.`, hint: 'Try again.' });
        return { events: decision.events, result: decision };
      });
      await this.effect(result);
      this.options.onDecisions?.([result]);
    } catch (error) {
      await this.preparing.drop(wanted.run);
      throw error;
    }
    const pid = this.options.runs.listed().find((row) => row.id === wanted.run)?.pid;
    return { agent_id: wanted.run, ...(pid === undefined ? {} : { pid }) };
  }

  /** Waits until no errand is under way; what they bring is asked for again by whoever comes next. */
  async close(): Promise<void> {
    await this.errands.close();
  }

  private async snapshot(paused: boolean, files: FileFacts): Promise<Omit<CoordinatorSnapshot, 'view'>> {
    const { runs, clients, people, terms, store } = this.options;
    this.known = await clients?.facts();
    const agency = await this.options.agency?.();
    this.agency = agency;
    if (this.known && isBounded(this.known.allowance) && !this.book) {
      const book = new BudgetBook();
      for await (const entry of store.entries(1)) book.add(entry);
      book.open();
      this.book = book;
    }
    const budget = this.budget();
    const known = await this.options.sessions?.read(await store.view());
    this.sessions = known?.sessions;
    const named = known?.sessions?.flatMap(({ executor }) => (executor === null ? [] : [executor])) ?? [];
    return {
      ...known,
      ...(this.lastSession === undefined ? {} : { lastSession: this.lastSession }),
      ...(clients && named.length > 0 ? { executors: await clients.usableAmong(named) } : {}),
      runs: runs.facts(),
      maxAgents: this.maxAgents,
      nextRun: this.preparing.nextRun(),
      paused,
      files,
      ...(this.backOff ? { backOff: this.backOff } : {}),
      ...(this.known?.executor === undefined ? {} : { executor: this.known.executor }),
      ...(budget ? { budget } : {}),
      ...(agency ? { agency } : {}),
      errands: this.errands.facts(),
      ...(this.known?.compaction === undefined ? {} : { compaction: this.known.compaction }),
      ...(people ? { people: await people.facts(await store.view()) } : {}),
      ...(this.known?.autoTriage && this.options.recovery ? { autoTriage: true } : {}),
      ...(this.options.placing ? { placing: true } : {}),
      ...(clients ? { prepares: true } : {}),
      ...(await this.told()),
      terms: { ...this.known?.terms, ...terms },
    };
  }

  private triaged(): ReadonlySet<string> {
    const { underWay } = this.errands.facts();
    return new Set(this.options.runs.facts().flatMap(({ id }) => (underWay.has(triageKey(id)) ? [id] : [])));
  }

  /** Something is another than before: what could not be prepared may be possible now. */
  tryAgain(): void {
    for (const task of this.unprepared().keys()) this.errands.forget(prepareKey(task));
  }

  /** By task: why no run of it could be prepared. */
  private unprepared(): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const [key, answer] of this.errands.facts().answers)
      if (answer.of === 'unprepared') found.set(key.slice(prepareKey('').length), answer.text);
    return found;
  }

  private budget(): Budget | undefined {
    return this.book && this.known && this.book.budget(this.known.allowance, this.options.clock.now());
  }

  /** What we commit ourselves is all that the ledger has to know: nobody else claims for a client or settles one. */
  private async commit<Result>(decide: (view: GraphView) => Plan<Result>): Promise<Commit<Result>> {
    const commit = await this.options.store.commit(decide);
    if (this.book) for (const entry of commit.entries) this.book.add(entry);
    return commit;
  }

  private async awaitedFiles(): Promise<FileFacts> {
    const { store, files } = this.options;
    const view = await store.view();
    if (!files || view.count('waiting') === 0) return new Map();
    return await files(awaitedOutside(view).paths);
  }

  private async effect(decision: Decision): Promise<number> {
    const { runs, store, clock } = this.options;
    switch (decision.do) {
      case 'settle-exit':
        this.afterEnd(decision.run);
        runs.forget(decision.run, this.statusOf(decision.run, decision.outcome));
        this.errands.forget(checkpointKey(decision.run));
        return 1;
      case 'mark-dead':
        this.afterEnd(decision.run);
        runs.forget(decision.run, 'dead');
        for (const key of [checkpointKey(decision.run), triageKey(decision.run)]) this.errands.forget(key);
        return 1;
      case 'finish':
        this.finish(decision.run, taskOf(await store.view(), decision.task));
        return 0;
      case 'back-off':
        this.backOff = decision.backOff;
        this.options.saveBackOff?.(decision.backOff);
        return 0;
      case 'triage': {
        const { recovery } = this.options;
        if (recovery) this.errands.start(triageKey(decision.run), (signal) => recovery.triage(decision, signal));
        return 0;
      }
      case 'ask-place': {
        const { placing } = this.options;
        const { task } = decision;
        if (placing) this.errands.start(placeKey(task), (signal) => placing(task, signal));
        return 0;
      }
      case 'checkpoint':
        this.keepCheckpoint(decision);
        return 0;
      case 'note':
        this.completed = true;
        return 0;
      case 'place':
        this.errands.forget(placeKey(decision.task));
        return 1;
      case 'resurrect':
      case 'deliver-chat':
      case 'add-task':
      case 'edit-task':
      case 'settle-due':
      case 'release':
        return 1;
      case 'hand-over':
      case 'give-back':
      case 'tell':
      case 'read-replies':
      case 'heard':
        return (await this.options.people?.carryOut(decision, this.errands, await store.view())) ?? 0;
      case 'prepare': {
        const view = await store.view();
        this.preparing.reserve(decision);
        this.errands.start(prepareKey(decision.task), () => this.preparing.prepare(view, decision));
        return 0;
      }
      case 'drop-prepared':
        this.errands.forget(prepareKey(decision.task));
        if (decision.run !== undefined) await this.preparing.drop(decision.run);
        return 1;
      case 'kill':
        runs.end(decision.run, decision.why);
        return 0;
      case 'dispatch': {
        this.lastSession = decision.session;
        if (decision.executor !== 'shell') {
          this.errands.forget(prepareKey(decision.task));
          return await this.preparing.begin(await store.view(), decision);
        }
        const task = (await store.view()).task(decision.task);
        await runs.start({
          id: decision.run,
          taskId: decision.task,
          fence: decision.fence,
          command: checked(task?.exec ?? 'false', task?.verify_cmd),
          environment: environmentOf(task?.['environment']),
          timeoutMs: decision.timeoutMs,
          startedAt: clock.now(),
        });
        return 0;
      }
    }
  }

  /** Without a lock, and answered in a later round. */
  private finish(id: string, task: Task): void {
    const run = this.options.runs.facts().find((fact) => fact.id === id);
    const { finishing } = this.options;
    this.errands.start(finishKey(id), async () =>
      run && finishing ? await finishing.finish(task, run) : { of: 'finish', evidence: {} },
    );
  }

  /** The end of a run is committed. */
  private afterEnd(id: string): void {
    this.errands.forget(finishKey(id));
    const run = this.options.runs.facts().find((fact) => fact.id === id);
    const { finishing, onError = () => undefined } = this.options;
    if (!finishing || run?.branch === undefined) return;
    this.errands.aside(`tidy ${id}`, () => finishing.after(run.taskId, run.fence), onError);
  }

  /** What waits for the person's files to be clean is looked at again from time to time. */
  private landAgain(): void {
    const { finishing, clock, onError = () => undefined } = this.options;
    if (finishing?.looksAgain(clock.now())) this.errands.aside('land', () => finishing.land(), onError);
  }

  /** The last one is over: nobody asks twice at a time. */
  private keepCheckpoint(at: RunAtWork): void {
    const { recovery } = this.options;
    if (!recovery) return;
    const key = checkpointKey(at.run);
    this.errands.forget(key);
    this.errands.start(key, async () => {
      await recovery.checkpoint(at);
      return { of: 'checkpoint' };
    });
  }

  /** What was written to tasks, and whether it is news that all is over. A broken teams.db is no reason to run nothing. */
  private async told(): Promise<Pick<CoordinatorSnapshot, 'unread' | 'completed'>> {
    const view = await this.options.store.view();
    const complete = isComplete(view);
    // What was over before we came was said before.
    if (this.completed === undefined || !complete) this.completed = complete;
    const unread = view.count('done') === 0 ? undefined : await this.options.recovery?.unread().catch(() => undefined);
    return { completed: this.completed, ...(unread === undefined ? {} : { unread }) };
  }

  private statusOf(run: string, outcome: 'done' | 'failed' | 'kept'): RunStatus {
    if (outcome !== 'kept') return outcome;
    const fact = this.options.runs.facts().find((candidate) => candidate.id === run);
    return fact?.exit?.code === 0 ? 'done' : 'failed';
  }
}
