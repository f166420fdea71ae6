import type { Ledger } from '#core/coordinator/budget.js';
import { ErrandKind } from '#core/coordinator/errand.js';
import type { Tick } from '#core/coordinator/tick.js';
import type { Task } from '#core/graph/task.js';
import type { Grant } from './budget.js';
import type { BaseDecision } from './tick.js';
import type { RunMachine } from './worker-facts.js';

/** A client's run with all its files written, valid for one particular claim. */
export interface PreparedRun {
  readonly of: 'prepared';
  readonly run: string;
  /** Fence of the claim it was prepared for. */
  readonly fence: number;
  readonly executor: string;
  /** Default: this machine. */
  readonly machine?: RunMachine;
  /** Grant named in its prompt, if there is a ledger. */
  readonly grant?: Grant;
  /** Time at which the facts of its prompt were gathered. */
  readonly at: number;
}

/** The preparation failed; `text` is the reason, for people. */
export interface PreparationFailure {
  readonly of: 'unprepared';
  readonly text: string;
  /** Time from which it may be tried again. */
  readonly until: number;
}

export const PREPARE = new ErrandKind<PreparedRun | PreparationFailure>('prepare');

/** Discards a prepared run that was not claimed, or clears a failure to allow another try. */
export interface DropDecision extends BaseDecision {
  readonly do: 'drop-prepared';
  readonly task: string;
  readonly run?: string;
}

/** The run that a claim would start. */
export interface ClientRunRequest {
  readonly executor: string;
  readonly machine: RunMachine;
  /** Present if spending is limited. */
  readonly ledger: Ledger | undefined;
}

/**
 * Runs of clients prepared before their tasks are claimed. After a failed preparation the task stays unchanged and is
 * tried again later. A prepared run is claimed by the tick that receives it or discarded, because its prompt describes
 * the graph at that time.
 */
export class Preparations {
  private readonly tick: Tick<object, DropDecision>;
  private readonly claimed = new Set<string>();

  constructor(tick: Tick<object, DropDecision>) {
    this.tick = tick;
  }

  /** False until the pause after a failed preparation is over. */
  mayBegin({ id }: Task): boolean {
    const answer = this.answer(id);
    return answer?.of !== 'unprepared' || this.tick.now >= answer.until;
  }

  /** Whether the task is being prepared, or an earlier result has to be discarded first. */
  isPending({ id }: Task): boolean {
    return this.tick.facts.errands.underWay.has(PREPARE.key(id)) || this.answer(id) !== undefined;
  }

  /** Takes the prepared run that matches this claim; undefined if there is none. */
  take(task: Task, { executor, machine, ledger }: ClientRunRequest): PreparedRun | undefined {
    const answer = this.answer(task.id);
    if (answer?.of !== 'prepared') return undefined;
    const allowed = ledger === undefined || (answer.grant !== undefined && ledger.covers(task, answer.grant));
    if (answer.fence !== (task.fence ?? 0) + 1 || answer.executor !== executor || !allowed) return undefined;
    if ((answer.machine ?? 'here') !== machine) return undefined;
    this.claimed.add(task.id);
    return answer;
  }

  /** Discards prepared runs that this pass did not claim, and failures that may be retried. */
  sweep(): void {
    for (const { about: id, answer } of PREPARE.answers(this.tick.facts.errands)) {
      if (this.claimed.has(id)) continue;
      const task = this.tick.graph.task(id);
      if (answer.of === 'unprepared' && task?.status === 'open' && !this.mayBegin(task)) continue;
      const run = answer.of === 'prepared' ? { run: answer.run } : {};
      const reason = answer.of === 'prepared' ? 'Its task was not claimed with it' : 'It may be tried again';
      this.tick.want({ do: 'drop-prepared', task: id, ...run, reason, events: [] });
    }
  }

  private answer(task: string) {
    return PREPARE.answer(this.tick.facts.errands, PREPARE.key(task));
  }
}
