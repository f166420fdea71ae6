import { CHECKPOINT } from '#core/coordinator/checkpoints.js';
import { decide } from '#core/coordinator/decide.js';
import { type RunWanted, type SpawnRequest, spawn } from '#core/coordinator/dispatch.js';
import type { ErrandFacts } from '#core/coordinator/errand.js';
import { FINISH } from '#core/coordinator/finish.js';
import type { CoordinatorSnapshot, Decision } from '#core/coordinator/parts.js';
import { PLACE } from '#core/coordinator/placing.js';
import { PREPARE } from '#core/coordinator/preparing.js';
import { TRIAGE } from '#core/coordinator/triage.js';
import { commandsSaid } from '#core/graph/commands.js';
import type { Plan } from '#core/graph/event.js';
import { needsMerged } from '#core/graph/needs-merged.js';
import type { NodeFields, Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import type { Commit } from '#ports/graph-store.js';
import type { RunStatus } from '#ports/run-host.js';
import type { RunAtWork } from './auto-checkpoint.js';
import { Errands } from './errands.js';
import { Preparing } from './preparing.js';
import type { RoundOptions } from './round-options.js';
import { Surroundings } from './surroundings.js';

/**
 * One look at the facts and what follows from it: core decides, everything is committed at once, and only then acted on,
 * without a lock. What takes its time is an errand: its answer is a fact of a later round.
 */
export class Round {
  private readonly options: RoundOptions;
  private readonly errands: Errands;
  private readonly preparing: Preparing;
  private readonly around: Surroundings;

  /** `wake` is called whenever an errand has its answer. */
  constructor(options: RoundOptions, wake: () => void) {
    this.options = options;
    this.errands = new Errands(wake);
    this.around = new Surroundings(options, this.errands);
    const { runs, clock, clients, commands } = options;
    this.preparing = new Preparing({ runs, clock, clients, commands });
  }

  get maxAgents(): number {
    return this.around.maxAgents;
  }

  /** How many runs at once, from the next round on. */
  set maxAgents(most: number) {
    this.around.maxAgents = most;
  }

  /** What is known beside the graph, for those who ask how things stand. */
  facts() {
    return this.around.standing();
  }

  /** Once, before the first round: what an earlier life had no time for. */
  begin(): void {
    const { finishing, onError } = this.options;
    this.errands.aside('tidy', () => finishing.begin(), onError);
  }

  /** What was asked for and has not been taken down yet. */
  errandsNow(): ErrandFacts {
    return this.errands.facts();
  }

  /** Resolves when the first of these errands is over. */
  async firstOf(keys: readonly string[]): Promise<void> {
    await this.errands.firstOf(keys);
  }

  /** Facts, decisions, one commit, effects. Answers what was decided, and how many effects may have changed the facts. */
  async play(paused: boolean): Promise<{ decisions: readonly Decision[]; changed: number }> {
    const { clock } = this.options;
    this.landAgain();
    const snapshot = await this.snapshot(paused);
    const { result: decisions } = await this.commit((view) => {
      const decided = decide({ ...snapshot, ...this.around.spending(), view }, clock.now());
      this.agreeToOwn(decided, view);
      return { events: decided.flatMap((decision) => decision.events), result: decided };
    });
    let changed = 0;
    // What is committed must be carried out: one effect that fails takes no other with it.
    const carryOut = async (decision: Decision) => {
      try {
        changed += await this.effect(decision);
      } catch (error) {
        this.options.onError(error);
      }
    };
    const after = await this.options.store.view();
    const slow = decisions.filter((decision) => decision.do === 'dispatch' && isSlow(after, decision));
    for (const decision of decisions) if (!slow.includes(decision)) await carryOut(decision);
    await Promise.all(slow.map(carryOut)); // nobody waits for another's worktree
    if (decisions.length > 0) this.options.onDecisions(decisions);
    return { decisions, changed };
  }

  /** What a round would decide now. Nothing of it is committed or done. */
  async preview(paused: boolean): Promise<readonly Decision[]> {
    const snapshot = await this.snapshot(paused);
    return decide({ ...snapshot, view: await this.options.store.view() }, this.options.clock.now());
  }

  /** A run of one task at once, whatever the slots and the pause say. Errors as of the decision. */
  async spawn(request: SpawnRequest): Promise<{ agent_id: string; pid?: number }> {
    const { store, clock } = this.options;
    const snapshot = await this.snapshot(false, false);
    const view = await store.view();
    const at = clock.now();
    const wanted = spawn({ ...snapshot, ...this.around.spending(), view }, request, at);
    const told = { at, grant: wanted.grant };
    this.preparing.reserve(wanted);
    if (wanted.executor !== 'shell') await this.preparing.setDown(view, wanted);
    try {
      const { result } = await this.commit((now) => {
        const decision = spawn({ ...snapshot, ...this.around.spending(), view: now }, request, clock.now(), told);
        if (decision.fence !== wanted.fence || decision.executor !== wanted.executor)
          throw new TroupeError('not_ready', { what: `${wanted.task} was changed just now.`, hint: 'Try again.' });
        return { events: decision.events, result: decision };
      });
      await this.effect(result);
      this.options.onDecisions([result]);
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

  private async snapshot(paused: boolean, look = true): Promise<Omit<CoordinatorSnapshot, 'view'>> {
    return { ...(await this.around.gather(paused, look)), nextRun: this.preparing.nextRun() };
  }

  /** Something is another than before: what could not be prepared may be possible now. */
  tryAgain(): void {
    for (const task of this.around.unprepared().keys()) this.errands.forget(PREPARE.key(task));
    this.around.forgetProviders();
  }

  /** The commands of tasks that the coordinator makes itself (to assign, to score) are words of ours, and of no file. */
  private agreeToOwn(decided: readonly Decision[], view: GraphView): void {
    const { trust } = this.options;
    const own = decided.flatMap((decision) => (decision.do === 'add-task' ? decision.events : []));
    if (own.length > 0) trust.add(commandsSaid((id) => view.task(id) as NodeFields | undefined, own, trust));
  }

  private commit<Result>(decide: (view: GraphView) => Plan<Result>): Promise<Commit<Result>> {
    return this.around.books.commit(decide);
  }

  private async effect(decision: Decision): Promise<number> {
    const { runs, store } = this.options;
    switch (decision.do) {
      case 'settle-exit':
        this.afterEnd(decision.run);
        runs.forget(decision.run, this.statusOf(decision.run, decision.outcome));
        this.errands.forget(CHECKPOINT.key(decision.run));
        return 1;
      case 'mark-dead':
        this.afterEnd(decision.run);
        runs.forget(decision.run, 'dead');
        for (const key of [CHECKPOINT.key(decision.run), TRIAGE.key(decision.run)]) this.errands.forget(key);
        return 1;
      case 'finish':
        this.finish(decision.run, taskOf(await store.view(), decision.task));
        return 0;
      case 'back-off':
        this.around.backOff = decision.backOff;
        this.options.kept.saveBackOff(decision.backOff);
        return 0;
      case 'hold-client':
        this.around.hold(decision.client, decision.hold);
        return 0;
      case 'triage': {
        const { recovery } = this.options;
        this.errands.start(TRIAGE.key(decision.run), (signal) => recovery.triage(decision, signal));
        return 0;
      }
      case 'ask-place': {
        const { placing } = this.options;
        const { task } = decision;
        this.errands.start(PLACE.key(task), (signal) => placing(task, signal));
        return 0;
      }
      case 'checkpoint':
        this.keepCheckpoint(decision);
        return 0;
      case 'note':
        this.around.saidComplete();
        return 0;
      case 'make-workflow': {
        const { triggers } = this.options;
        this.errands.start(decision.wish.key, () => triggers.make(decision.wish));
        return 0;
      }
      case 'drop-workflow':
        this.errands.forget(decision.key);
        if (decision.refused) this.options.triggers.refuse(decision.refused.workflow, decision.refused.why);
        return 0;
      case 'run-workflow':
        this.errands.forget(decision.key);
        return 1;
      case 'place':
        this.errands.forget(PLACE.key(decision.task));
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
        return await this.options.people.carryOut(decision, this.errands, await store.view());
      case 'prepare': {
        const view = await store.view();
        this.preparing.reserve(decision);
        this.errands.start(PREPARE.key(decision.task), () => this.preparing.prepare(view, decision));
        return 0;
      }
      case 'drop-prepared':
        this.errands.forget(PREPARE.key(decision.task));
        if (decision.run !== undefined) await this.preparing.drop(decision.run);
        return 1;
      case 'kill':
        runs.end(decision.run, decision.why);
        return 0;
      case 'dispatch': {
        this.around.lastSession = decision.session;
        if (decision.executor !== 'shell') this.errands.forget(PREPARE.key(decision.task));
        return await this.preparing.begin(await store.view(), decision);
      }
    }
  }

  /** Without a lock, and answered in a later round. */
  private finish(id: string, task: Task): void {
    const run = this.options.runs.facts().find((fact) => fact.id === id);
    const { finishing } = this.options;
    this.errands.start(FINISH.key(id), async () =>
      run ? await finishing.finish(task, run) : { of: 'finish', evidence: {} },
    );
  }

  /** The end of a run is committed. */
  private afterEnd(id: string): void {
    this.errands.forget(FINISH.key(id));
    const run = this.options.runs.facts().find((fact) => fact.id === id);
    const { finishing, onError } = this.options;
    if (run?.branch === undefined) return;
    this.errands.aside(`tidy ${id}`, () => finishing.after(run), onError);
  }

  /** What waits for the person's files to be clean is looked at again from time to time. */
  private landAgain(): void {
    const { finishing, clock, onError } = this.options;
    if (finishing.looksAgain(clock.now())) this.errands.aside('land', () => finishing.land(), onError);
  }

  /** The last one is over: nobody asks twice at a time. */
  private keepCheckpoint(at: RunAtWork): void {
    const { recovery } = this.options;
    const key = CHECKPOINT.key(at.run);
    this.errands.forget(key);
    this.errands.start(key, async () => {
      await recovery.checkpoint(at);
      return { of: 'checkpoint' };
    });
  }

  private statusOf(run: string, outcome: 'done' | 'failed' | 'kept'): RunStatus {
    if (outcome !== 'kept') return outcome;
    const fact = this.options.runs.facts().find((candidate) => candidate.id === run);
    return fact?.exit?.code === 0 ? 'done' : 'failed';
  }
}

/** Making a worktree takes its time. */
function isSlow(view: GraphView, { executor, task }: RunWanted): boolean {
  const found = view.task(task);
  return executor !== 'shell' || (found !== undefined && needsMerged(view, found));
}
