import { flipCheckOf } from '#core/graph/flip-check.js';
import { runNumber } from '#core/graph/run-name.js';
import { isTerminal, type Status, type Task } from '#core/graph/task.js';
import { timeOf } from '#core/graph/time.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { PersistentMap } from '#kernel/persistent-map.js';

/** Tasks added by runs, as far as needed for the limits on adding more. */
export interface Growth {
  /** Number of unfinished tasks created by runs. */
  readonly unfinished: number;
  /** Creation times of the latest ones in milliseconds, ascending; at most as many as are allowed in a minute. */
  readonly latest: readonly number[];
}

export interface TallyMaps {
  /** Tasks with status `waiting`. */
  readonly parked: PersistentMap<true>;
  /** Tasks that are not placed yet. */
  readonly unplaced: PersistentMap<true>;
  /** Tasks with a low flip score that is not examined yet. */
  readonly doubted: PersistentMap<true>;
  /** Team tasks that wait for a review not yet requested. */
  readonly unreviewed: PersistentMap<true>;
  /** Tasks whose work was merged. */
  readonly merged: PersistentMap<true>;
  /** Number of tasks by creator. */
  readonly makers: PersistentMap<number>;
}

/** Counters over all tasks, updated with every change. */
export class Tally {
  readonly maps: TallyMaps;
  /** Number of tasks with a `cycle_config`. */
  configs: number;
  private readonly counts: Map<Status, number>;
  /** `seq` of the last event that touched a team task. */
  teamSeq: number;
  /** Highest number of a run that ever had a task. */
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

  /** Records the creation of a task. */
  recordCreation(task: Task): void {
    if (task.parent === undefined) return;
    const at = timeOf(task.created_at);
    const most = WORK_LIMITS.seededTasksPerMinute;
    const [first = 0] = this.latest;
    if (this.latest.length >= most && at <= first) return;
    const before = this.latest.findLastIndex((other) => other <= at) + 1;
    this.latest = [...this.latest.slice(0, before), at, ...this.latest.slice(before)].slice(-most);
  }

  /** Records that an event changed a task. */
  recordTeamChange({ team, rev = 0 }: Task): void {
    if (team !== undefined) this.teamSeq = Math.max(this.teamSeq, rev);
  }

  /** Adds a task to the counts, or removes it. */
  add(task: Task | undefined, by: 1 | -1): void {
    if (!task) return;
    const { parked, unplaced, doubted, unreviewed, merged, makers } = this.maps;
    this.counts.set(task.status, this.count(task.status) + by);
    if (task.cycle_config !== undefined) this.configs += by;
    if (task.created_by !== undefined) makers.set(task.created_by, this.madeBy(task.created_by) + by);
    if (task.parent !== undefined && !isTerminal(task.status)) this.unfinished += by;
    this.recordTeamChange(task);
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
