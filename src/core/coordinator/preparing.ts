import type { Ledger } from '#core/coordinator/budget.js';
import { ErrandKind } from '#core/coordinator/errand.js';
import type { Tick } from '#core/coordinator/tick.js';
import type { Task } from '#core/graph/task.js';
import { LIMITS } from '#kernel/limits.js';
import type { Grant } from './budget.js';
import type { RunMachine } from './elsewhere.js';
import type { BaseDecision } from './tick.js';

/** All that a run of a client needs is set down, for the one claim it was asked for. */
export interface PreparedRun {
  readonly of: 'prepared';
  readonly run: string;
  /** That the claim will have. */
  readonly fence: number;
  readonly executor: string;
  /** Left out: this one. */
  readonly machine?: RunMachine;
  /** What it may spend, where there is a ledger; its client was told. */
  readonly grant?: Grant;
  /** When the facts of its prompt were gathered. */
  readonly at: number;
}

/** It could not be: why, for people. */
export interface PreparationFailure {
  readonly of: 'unprepared';
  readonly text: string;
  readonly at: number;
}

export const PREPARE = new ErrandKind<PreparedRun | PreparationFailure>('prepare');

/** What was prepared was not claimed with, or its task may be tried again. */
export interface DropDecision extends BaseDecision {
  readonly do: 'drop-prepared';
  readonly task: string;
  readonly run?: string;
}

/** What a claim of a client's run would be for. */
export interface ClientRunRequest {
  readonly executor: string;
  readonly machine: RunMachine;
  /** What may be spent is bounded. */
  readonly ledger: Ledger | undefined;
}

/**
 * What is set down for runs of clients before anybody claims their tasks. What failed leaves its task as it is, and is
 * tried again later; what is ready is claimed by the tick that hears of it, or thrown away: it tells of the graph as it was.
 */
export class Preparations {
  private readonly tick: Tick<object, DropDecision>;
  private readonly claimed = new Set<string>();

  constructor(tick: Tick<object, DropDecision>) {
    this.tick = tick;
  }

  /** False for a moment after its preparation failed. */
  mayBegin({ id }: Task): boolean {
    const answer = this.answer(id);
    return answer?.of !== 'unprepared' || this.tick.now - answer.at >= LIMITS.prepareAgainMs;
  }

  /** It is being prepared, or what came of that has to go first. */
  isPending({ id }: Task): boolean {
    return this.tick.facts.errands.underWay.has(PREPARE.key(id)) || this.answer(id) !== undefined;
  }

  /** The run that waits for this very claim; undefined when there is none. */
  take(task: Task, { executor, machine, ledger }: ClientRunRequest): PreparedRun | undefined {
    const answer = this.answer(task.id);
    if (answer?.of !== 'prepared') return undefined;
    const allowed = ledger === undefined || (answer.grant !== undefined && ledger.covers(task, answer.grant));
    if (answer.fence !== (task.fence ?? 0) + 1 || answer.executor !== executor || !allowed) return undefined;
    if ((answer.machine ?? 'here') !== machine) return undefined;
    this.claimed.add(task.id);
    return answer;
  }

  /** Throws away what nobody claimed in this pass, and what failed long ago. */
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
