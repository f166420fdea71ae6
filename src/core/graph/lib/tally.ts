import { flipCheckOf } from '#core/graph/flip-check.js';
import { runNumber } from '#core/graph/run-name.js';
import { isTerminal, type Status, type Task } from '#core/graph/task.js';
import { timeOf } from '#core/graph/time.js';
import { LIMITS } from '#kernel/limits.js';
import type { PersistentMap } from '#kernel/persistent-map.js';

/** What runs have added to the graph, as far as it bounds what they may still add. */
export interface Growth {
  /** Tasks of runs that have not ended. */
  readonly unfinished: number;
  /** When the latest of them were made, in milliseconds, the earliest first; no more than are allowed in a minute. */
  readonly latest: readonly number[];
}

export interface TallyMaps {
  /** Tasks that wait for something. */
  readonly parked: PersistentMap<true>;
  /** Tasks that wait for their place. */
  readonly unplaced: PersistentMap<true>;
  /** Tasks with a low score that nobody has looked into yet. */
  readonly doubted: PersistentMap<true>;
  /** Tasks of teams that wait for a review which nobody was asked for yet. */
  readonly unreviewed: PersistentMap<true>;
  /** Tasks whose work was merged. */
  readonly merged: PersistentMap<true>;
  /** How many tasks somebody made. */
  readonly makers: PersistentMap<number>;
}

/** What is counted of all tasks, kept with every change. */
export class Tally {
  readonly maps: TallyMaps;
  /** How many tasks carry a `cycle_config`. */
  configs: number;
  private readonly counts: Map<Status, number>;
  /** `seq` of the last event that touched a task of a team. */
  teamSeq: number;
  /** The highest number of a run that ever had a task. */
  lastRun: number;
  private unfinished: number;
  private latest: readonly number[];

  constructor(maps: TallyMaps, copyOf?: Tally) {
    this.maps = maps;
    this.configs = copyOf?.configs ?? 0;
    this.counts = new Map(copyOf?.counts);
    this.unfinished = copyOf?.unfinished ?? 0;
    this.latest = copyOf?.latest ?? [];
    this.teamSeq = copyOf?.teamSeq ?? 0;
    this.lastRun = copyOf?.lastRun ?? 0;
  }

  count(status: Status): number {
    return this.counts.get(status) ?? 0;
  }

  madeBy(name: string): number {
    return this.maps.makers.get(name) ?? 0;
  }

  growth(): Growth {
    return { unfinished: this.unfinished, latest: this.latest };
  }

  /** A task that was not there before. */
  born(task: Task): void {
    if (task.parent === undefined) return;
    const at = timeOf(task.created_at);
    const most = LIMITS.seededTasksPerMinute;
    const [first = 0] = this.latest;
    if (this.latest.length >= most && at <= first) return;
    const before = this.latest.findLastIndex((other) => other <= at) + 1;
    this.latest = [...this.latest.slice(0, before), at, ...this.latest.slice(before)].slice(-most);
  }

  /** A task of which an event wrote something. */
  touched({ team, rev = 0 }: Task): void {
    if (team !== undefined) this.teamSeq = Math.max(this.teamSeq, rev);
  }

  /** Counts a task in, or out. */
  add(task: Task | undefined, by: 1 | -1): void {
    if (!task) return;
    const { parked, unplaced, doubted, unreviewed, merged, makers } = this.maps;
    this.counts.set(task.status, this.count(task.status) + by);
    if (task.cycle_config !== undefined) this.configs += by;
    if (task.created_by !== undefined) makers.set(task.created_by, this.madeBy(task.created_by) + by);
    if (task.parent !== undefined && !isTerminal(task.status)) this.unfinished += by;
    this.touched(task);
    if (task.assigned !== undefined) this.lastRun = Math.max(this.lastRun, runNumber(task.assigned));
    if (task.unplaced === true) keep(unplaced, task.id, by);
    if (task.merged !== undefined) keep(merged, task.id, by);
    if (task.status === 'waiting') keep(parked, task.id, by);
    if (task.status === 'pending-validation' && task.team !== undefined) keep(unreviewed, task.id, by);
    if (flipCheckOf(task)?.state === 'low') keep(doubted, task.id, by);
  }
}

function keep(map: PersistentMap<true>, id: string, by: 1 | -1): void {
  if (by === 1) map.set(id, true);
  else map.delete(id);
}
