import type { Decision, RunWanted } from '#core/coordinator/decision.js';
import type { ErrandAnswer } from '#core/coordinator/snapshot.js';
import type { GraphView } from '#core/graph/view.js';
import type { Clock } from '#kernel/clock.js';
import { knownError, TroupeError } from '#kernel/errors.js';
import type { RunHost, RunPlan } from '#ports/run-host.js';
import type { Clients } from './clients.js';
import { environmentOf } from './run-command.js';

type Dispatched = Extract<Decision, { do: 'dispatch' }>;

/**
 * Runs of clients from the moment they are wanted until they start: what they need is set down first, their task is claimed
 * by a tick, and then their worktree is made and the client begins. What cannot be set down leaves its task as it is; what
 * goes wrong after the claim gives it back.
 */
export class Preparing {
  private readonly parts: { readonly runs: RunHost; readonly clock: Clock; readonly clients: Clients };
  private readonly plans = new Map<string, RunPlan>();
  private last = 0;

  constructor(parts: { runs: RunHost; clock: Clock; clients: Clients }) {
    this.parts = parts;
  }

  /** Number for the next run: none that is being prepared. */
  nextRun(): number {
    return Math.max(this.parts.runs.nextNumber(), this.last + 1);
  }

  /** Keeps the number of a run that is about to be prepared. */
  reserve({ run }: RunWanted): void {
    this.last = Math.max(this.last, Number(run.replace('agent-', '')));
  }

  /** Never throws: why it was not possible is an answer like any other. */
  async prepare(view: GraphView, wanted: RunWanted): Promise<ErrandAnswer> {
    const { run, fence, executor, budgetUsd } = wanted;
    const at = this.parts.clock.now();
    try {
      await this.setDown(view, wanted);
      return { of: 'prepared', run, fence, executor, at, ...(budgetUsd === undefined ? {} : { budgetUsd }) };
    } catch (error) {
      const { message, hint } = knownError(error);
      return { of: 'unprepared', text: hint ? `${message} ${hint}` : message, at };
    }
  }

  /** Everything the run will need, as files in its folder. What it throws is why there can be no run now. */
  async setDown(view: GraphView, wanted: RunWanted): Promise<void> {
    const { runs, clock, clients } = this.parts;
    const { run: id, task, fence, timeoutMs, executor } = wanted;
    const client = await clients.prepare(view, wanted);
    const environment = environmentOf(view.task(task)?.['environment']);
    const plan = { id, taskId: task, fence, timeoutMs, executor, command: '', environment, client };
    const whole = { ...plan, startedAt: clock.now() };
    await runs.prepare(whole);
    this.plans.set(id, whole);
  }

  /** Nobody claimed its task with it. */
  async drop(run: string): Promise<void> {
    this.plans.delete(run);
    await this.parts.runs.discard(run);
  }

  /** Its task is claimed. Whatever keeps the client from starting gives the task back; answers how many facts that changed. */
  async begin(view: GraphView, { run, task, fence, timeoutMs, executor }: Dispatched): Promise<number> {
    const { runs, clock, clients } = this.parts;
    const plan = this.plans.get(run);
    this.plans.delete(run);
    try {
      if (!plan?.client) throw new TroupeError('executor_missing');
      await clients.enter(view, { task, fence, executor }, plan.client);
      await runs.start({ ...plan, startedAt: clock.now() });
      return 0;
    } catch (error) {
      const refused = { id: run, taskId: task, fence, timeoutMs, executor, startedAt: clock.now() };
      runs.refuse(refused, knownError(error).message);
      return 1;
    }
  }
}
