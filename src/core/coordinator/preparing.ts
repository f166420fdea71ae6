import type { Ledger } from '#core/coordinator/budget.js';
import type { ErrandAnswer, Prepared } from '#core/coordinator/snapshot.js';
import type { Tick } from '#core/coordinator/tick.js';
import type { Task } from '#core/graph/task.js';
import { LIMITS } from '#kernel/limits.js';

const KEY = 'prepare ';

/** By which the preparation of a run is known. */
export function prepareKey(task: string): string {
  return `${KEY}${task}`;
}

/** What a claim of a client's run would be for. */
export interface Wanted {
  readonly executor: string;
  /** What may be spent is bounded. */
  readonly ledger: Ledger | undefined;
}

/**
 * What is set down for runs of clients before anybody claims their tasks. What failed leaves its task as it is, and is
 * tried again later; what is ready is claimed by the tick that hears of it, or thrown away: it tells of the graph as it was.
 */
export class Preparations {
  private readonly tick: Tick;
  private readonly claimed = new Set<string>();

  constructor(tick: Tick) {
    this.tick = tick;
  }

  /** False for a moment after its preparation failed. */
  mayBegin({ id }: Task): boolean {
    const answer = this.answer(id);
    return answer?.of !== 'unprepared' || this.tick.now - answer.at >= LIMITS.prepareAgainMs;
  }

  /** It is being prepared, or what came of that has to go first. */
  isPending({ id }: Task): boolean {
    return this.tick.snapshot.errands?.underWay.has(prepareKey(id)) === true || this.answer(id) !== undefined;
  }

  /** The run that waits for this very claim; undefined when there is none. */
  take(task: Task, { executor, ledger }: Wanted): Prepared | undefined {
    const answer = this.answer(task.id);
    if (answer?.of !== 'prepared') return undefined;
    const allowed = ledger === undefined || (answer.grant !== undefined && ledger.covers(task, answer.grant));
    if (answer.fence !== (task.fence ?? 0) + 1 || answer.executor !== executor || !allowed) return undefined;
    this.claimed.add(task.id);
    return answer;
  }

  /** Throws away what nobody claimed in this pass, and what failed long ago. */
  sweep(): void {
    for (const [key, answer] of this.tick.snapshot.errands?.answers ?? []) {
      if (!key.startsWith(KEY)) continue;
      const id = key.slice(KEY.length);
      if (this.claimed.has(id)) continue;
      const task = this.tick.graph.task(id);
      if (answer.of === 'unprepared' && task?.status === 'open' && !this.mayBegin(task)) continue;
      const run = answer.of === 'prepared' ? { run: answer.run } : {};
      const reason = answer.of === 'prepared' ? 'Its task was not claimed with it' : 'It may be tried again';
      this.tick.decisions.push({ do: 'drop-prepared', task: id, ...run, reason, events: [] });
    }
  }

  private answer(task: string): ErrandAnswer | undefined {
    return this.tick.snapshot.errands?.answers.get(prepareKey(task));
  }
}
