import { type Cycle, type CycleIndex, couldCycle, cyclesAround, findCycles } from '#core/graph/cycles.js';
import type { BeyondNodes, Departed, Retired } from '#core/graph/departed.js';
import type { Entry, Patch } from '#core/graph/event.js';
import { edgesBetween } from '#core/graph/lib/edges-between.js';
import { Followers } from '#core/graph/lib/followers.js';
import { FreeTasks } from '#core/graph/lib/free-tasks.js';
import { GrowingList } from '#core/graph/lib/growing-list.js';
import { mayHoldOthers, outcomeOf } from '#core/graph/lib/outcome.js';
import { type Growth, Tally } from '#core/graph/lib/tally.js';
import { type CycleHolds, freeSince } from '#core/graph/ready.js';
import { type GraphNode, isStatus, isTask, type LogEntry, type Status, type Task } from '#core/graph/task.js';
import type { GraphDraft, GraphView, TaskOutline } from '#core/graph/view.js';
import { PersistentMap } from '#kernel/persistent-map.js';

const NOBODY: readonly string[] = [];

/**
 * The graph in memory, with indexes that keep hot paths below O(graph): dependents of each task, free tasks, number of
 * tasks per status. Every change goes through `apply`; `freeze` returns an immutable view.
 */
export class GraphState implements GraphView {
  private lastSeq = 0;
  private readonly all: PersistentMap<GraphNode>;
  private readonly after: PersistentMap<GrowingList>;
  private readonly free: FreeTasks;
  private readonly retired: PersistentMap<Departed | true>;
  private lastRetired = 0;
  private readonly tally: Tally;
  private readonly followers: Followers;
  /** Whether the free tasks are computed. Done on first use: a command that shows one task never needs them. */
  private freeTasksKnown: boolean;
  /** Before that: loaded tasks with an unfinished predecessor, as long as nothing around them has changed. */
  private held: Set<string> | undefined;
  /** Cycle index; undefined until first used, and after a change of edges. */
  private cycleIndex: CycleIndex | undefined;
  /** All ids in file order, computed on first use; shared with copies, replaced when an id is added or removed. */
  private order: { ids?: readonly string[] } = {};
  /** Within one entry: whether changed edges may have changed cycles, and the cycle members that changed. */
  private cyclesInvalidated = false;
  private moved: { readonly id: string; readonly restless: boolean }[] = [];

  /** Creates an empty state, or a copy. `expected`: approximate number of nodes. */
  constructor(copyOf?: { state: GraphState; writable: boolean }, expected = 0) {
    const copy = <Value>(map: PersistentMap<Value> | undefined, size = 0): PersistentMap<Value> =>
      (copyOf?.writable ? map?.fork() : map?.freeze()) ?? new PersistentMap(size);
    this.lastSeq = copyOf?.state.lastSeq ?? 0;
    this.all = copy(copyOf?.state.all, expected);
    this.after = copy(copyOf?.state.after, expected);
    this.freeTasksKnown = copyOf?.state.freeTasksKnown ?? true;
    this.free = new FreeTasks(this.freeTasksKnown ? copyOf?.state.free : undefined, copyOf?.writable);
    const { parked, unplaced, doubted, unreviewed, merged, makers } = copyOf?.state.tally.maps ?? {};
    const maps = { parked: copy(parked), unplaced: copy(unplaced), doubted: copy(doubted), merged: copy(merged) };
    this.tally = new Tally({ ...maps, unreviewed: copy(unreviewed), makers: copy(makers) }, copyOf?.state.tally);
    const { isCurrent = true, ids } = copyOf?.state.followers ?? {};
    this.followers = new Followers(this, this.tally.maps, isCurrent ? copy(ids) : undefined);
    this.cycleIndex = copyOf?.state.cycleIndex;
    this.order = copyOf?.state.order ?? this.order;
    this.retired = copy(copyOf?.state.retired);
    this.lastRetired = copyOf?.state.lastRetired ?? 0;
  }

  get seq(): number {
    return this.lastSeq;
  }

  get lastRun(): number {
    return this.tally.lastRun;
  }

  get size(): number {
    return this.all.size;
  }

  node(id: string): GraphNode | undefined {
    return this.all.get(id);
  }

  task(id: string): Task | undefined {
    const node = this.all.get(id);
    return node && isTask(node) ? node : undefined;
  }

  nodes(): Iterable<GraphNode> {
    return this.all.values();
  }

  /** All nodes in file order: by id, bytewise. */
  nodesById(): GraphNode[] {
    this.order.ids ??= [...this.all.keys()].sort();
    return this.order.ids.map((id) => this.all.get(id)).filter((node) => node !== undefined);
  }

  *outlines(): Iterable<TaskOutline> {
    for (const task of this.tasks()) {
      const { id, status, after = NOBODY } = task;
      yield { id, status, after, mayHave: (field) => field in task };
    }
  }

  dependents(id: string): readonly string[] {
    return this.after.get(id)?.values() ?? NOBODY;
  }

  candidates(): Iterable<string> {
    this.settle();
    return this.free.ids();
  }

  runnable(after?: number): Iterable<string> {
    this.settle();
    return this.free.queued((id) => this.task(id)).runnable.ids(after);
  }

  withoutCommand(): Iterable<string> {
    this.settle();
    return this.free.queued((id) => this.task(id)).others.ids();
  }

  readyAt(id: string): number | undefined {
    this.settle();
    return this.free.at(id);
  }

  count(status: Status): number {
    return this.tally.count(status);
  }

  waiting(): Iterable<string> {
    return this.tally.maps.parked.keys();
  }

  unplaced(): Iterable<string> {
    return this.tally.maps.unplaced.keys();
  }

  doubted(): Iterable<string> {
    return this.tally.maps.doubted.keys();
  }

  unreviewed(): Iterable<string> {
    return this.tally.maps.unreviewed.keys();
  }

  get teamSeq(): number {
    return this.tally.teamSeq;
  }

  followsMerged(id: string): boolean {
    return this.followers.has(id);
  }

  madeBy(name: string): number {
    return this.tally.madeBy(name);
  }

  growth(): Growth {
    return this.tally.growth();
  }

  mayIterate(): boolean {
    return this.tally.configs > 0;
  }

  cycle(header: string): Cycle | undefined {
    return this.index().byHeader.get(header);
  }

  cycles(): Iterable<Cycle> {
    return this.index().byHeader.values();
  }

  cyclesOf(id: string): readonly Cycle[] {
    return cyclesAround(this.index(), id);
  }

  wasUsed(id: string): boolean {
    return this.all.has(id) || this.retired.has(id);
  }

  departed(id: string): Departed | undefined {
    const entry = this.retired.get(id);
    return entry === true ? undefined : entry;
  }

  *departures(): Iterable<Departed> {
    for (const entry of this.retired.values()) if (entry !== true) yield entry;
  }

  get retiredCount(): number {
    return this.retired.size;
  }

  /** `seq` of the last entry that changed the retired ids. */
  get retiredSeq(): number {
    return this.lastRetired;
  }

  *retiredIds(): Iterable<Retired> {
    for (const id of this.retired.keys()) yield this.departed(id) ?? id;
  }

  freeze(): GraphState {
    if (this.freeTasksKnown && this.tally.configs > 0) this.index(); // once, not in each copy
    if (this.freeTasksKnown) this.followers.settle();
    return new GraphState({ state: this, writable: false });
  }

  fork(): GraphDraft {
    this.settle(); // once, not in each of many forks
    return new GraphState({ state: this, writable: true });
  }

  changedSince(earlier: GraphDraft): ReadonlySet<string> | undefined {
    return earlier instanceof GraphState ? this.all.changedSince(earlier.all) : undefined;
  }

  /** Loads a whole snapshot: nodes unchanged, `seq` of that snapshot. Only for an empty state. */
  load(nodes: Iterable<GraphNode>, seq: number, beyond: BeyondNodes = {}): void {
    const { retired = [], retiredSeq = seq, lastRun = 0 } = beyond;
    const list = [...nodes];
    for (const node of list) {
      this.all.set(node.id, node);
      if (!isTask(node)) continue;
      this.tally.add(node, 1);
      this.tally.recordCreation(node);
    }
    const { after, held } = edgesBetween(list);
    for (const [predecessor, dependents] of after) this.after.set(predecessor, new GrowingList(dependents));
    for (const item of retired) {
      if (typeof item === 'string') this.retired.set(item, true);
      else this.retired.set(item.id, item);
    }
    this.order = list.length === this.all.size ? { ids: list.map(({ id }) => id).sort() } : {};
    this.freeTasksKnown = false;
    this.followers.invalidate();
    this.cycleIndex = undefined;
    this.lastSeq = seq;
    this.lastRetired = retiredSeq;
    this.tally.lastRun = Math.max(this.tally.lastRun, lastRun);
    this.held = held;
  }

  /** Applies one entry; idempotent. The last config may go with it: the tasks that its cycle held are free then. */
  apply(entry: Entry): void {
    const [before, configs] = [this.cycleIndex, this.tally.configs];
    this.cyclesInvalidated = false;
    this.moved = [];
    for (const patch of entry.patch) this.applyPatch(patch, entry);
    if (this.freeTasksKnown && configs + this.tally.configs > 0) this.updateTasksAroundCycles(before);
    if (entry.seq > this.lastSeq) this.lastSeq = entry.seq;
  }

  private applyPatch(patch: Patch, { seq, tx }: Entry): void {
    if ('del' in patch) {
      this.place(patch.id, undefined, seq);
      const { id, to, kept: node } = patch;
      if (to === undefined || !isStatus(node?.['status'])) return;
      this.retired.set(id, { id, to, last: node['status'], seq, batch: seq - (tx?.[0] ?? 1) + 1 });
      this.lastRetired = seq;
      if (this.freeTasksKnown) for (const dependent of this.dependents(id)) this.updateFreeTask(dependent);
      return;
    }
    const present = this.all.get(patch.id);
    if ('put' in patch) {
      const next = { ...(patch.put as GraphNode), rev: seq };
      // Adopted in place: a node that differs only in `rev` changes no index.
      if (patch.put === present) this.all.set(patch.id, next);
      else this.place(patch.id, next, seq);
      if (isTask(next)) this.tally.recordTeamChange(next);
      return;
    }
    if (!present) return; // changes a task that a later entry removed
    const next: Record<string, unknown> = { ...present, ...patch.set };
    for (const field of patch.unset ?? []) delete next[field];
    if (patch.log) {
      const older = ((present['log'] as readonly LogEntry[] | undefined) ?? []).slice(0, patch.log_at ?? 0);
      next['log'] = [...older, ...patch.log];
    }
    next['rev'] = seq;
    this.place(patch.id, next as GraphNode, seq);
  }

  /** Sets or removes a node and updates the indexes around it. */
  private place(id: string, next: GraphNode | undefined, seq: number): void {
    const before = this.all.get(id);
    const oldTask = before && isTask(before) ? before : undefined;
    const newTask = next && isTask(next) ? next : undefined;
    if ((before === undefined) !== (next === undefined)) this.order = {};
    if (next) {
      this.all.set(id, next);
      if (this.retired.delete(id)) this.lastRetired = seq;
    } else if (this.all.delete(id) || !this.retired.has(id)) {
      this.retired.set(id, true);
      this.lastRetired = seq;
    }
    this.tally.add(oldTask, -1);
    this.tally.add(newTask, 1);
    if (newTask && !oldTask) this.tally.recordCreation(newTask);
    if (oldTask?.after !== newTask?.after) this.moveEdges(id, oldTask?.after ?? NOBODY, newTask?.after ?? NOBODY);
    this.followers.changed(id, oldTask, newTask);
    if (this.affectsCycles(id, oldTask, newTask)) this.invalidateCycles();
    if (!this.freeTasksKnown) {
      this.held?.delete(id);
      if (oldTask?.status !== newTask?.status)
        for (const dependent of this.dependents(id)) this.held?.delete(dependent);
      return;
    }
    this.updateFreeTask(id);
    if (this.cycleIndex?.innermost.has(id)) this.moved.push({ id, restless: mayHoldOthers(oldTask) });
    if (outcomeOf(oldTask) !== outcomeOf(newTask))
      for (const dependent of this.dependents(id)) this.updateFreeTask(dependent);
  }

  private moveEdges(id: string, old: readonly string[], next: readonly string[]): void {
    const current = new Set(next);
    const had = new Set(old);
    for (const predecessor of had) {
      if (current.has(predecessor)) continue;
      const remaining = this.after.get(predecessor)?.without(id);
      if (remaining && remaining.length > 0) this.after.set(predecessor, remaining);
      else this.after.delete(predecessor);
    }
    for (const predecessor of current) {
      if (had.has(predecessor)) continue;
      this.after.set(predecessor, this.after.get(predecessor)?.with(id) ?? new GrowingList([id]));
    }
    const fresh = [...current].filter((predecessor) => !had.has(predecessor));
    if (this.cycleIndex ? couldCycle(this, id, fresh) : this.cyclesInvalidated) this.invalidateCycles();
  }

  /** Whether a change may affect cycles: configs, edges of members and existing predecessors decide the header. */
  private affectsCycles(id: string, before: Task | undefined, next: Task | undefined): boolean {
    if (before?.cycle_config !== next?.cycle_config) return true;
    const { cycleIndex: loops } = this;
    if (!loops || loops.innermost.size === 0) return false;
    if (loops.innermost.has(id) && before?.after !== next?.after) return true;
    const appears = (before === undefined) !== (next === undefined);
    return appears && this.dependents(id).some((dependent) => loops.innermost.has(dependent));
  }

  /** Invalidates the cycle index. */
  private invalidateCycles(): void {
    this.cyclesInvalidated = true;
    this.cycleIndex = undefined;
  }

  private index(): CycleIndex {
    this.cycleIndex ??= findCycles(this.tasks());
    return this.cycleIndex;
  }

  private *tasks(): Iterable<Task> {
    for (const node of this.all.values()) if (isTask(node)) yield node;
  }

  /**
   * Recomputes which tasks are free around changed cycles, after an entry that touched edges or members: headers ignore
   * edges from inside, and a failed member holds the others. Costs the cycles touched, or all of them if edges changed.
   */
  private updateTasksAroundCycles(before: CycleIndex | undefined): void {
    const ids = new Set<string>();
    const around = (cycle: Cycle) => {
      for (const id of cycle.members) {
        ids.add(id);
        for (const dependent of this.dependents(id)) ids.add(dependent);
      }
    };
    if (this.cyclesInvalidated) {
      for (const index of [before, this.index()]) {
        for (const cycle of index?.byHeader.values() ?? []) if (cycle.configured) around(cycle);
      }
    }
    for (const { id, restless } of this.moved) {
      for (const cycle of this.cyclesOf(id)) {
        if (!cycle.configured || ids.has(cycle.header)) continue;
        if (restless || cycle.members.some((member) => mayHoldOthers(this.task(member)))) around(cycle);
      }
    }
    const holds: CycleHolds = new Map();
    for (const id of ids) this.updateFreeTask(id, holds);
  }

  /** Computes the free tasks now instead of on first use; `runnable` also their order. */
  settle(): void {
    if (this.freeTasksKnown) return;
    this.freeTasksKnown = true; // no tasks were recorded as free before
    const held = this.tally.configs === 0 ? this.held : undefined;
    this.held = undefined;
    const holds: CycleHolds = new Map();
    for (const task of this.tasks()) if (!held?.has(task.id)) this.free.put(task, freeSince(this, task, holds));
  }

  /** Updates whether this task is free, and since when. */
  private updateFreeTask(id: string, holds?: CycleHolds): void {
    this.free.remove(id);
    const task = this.task(id);
    if (task) this.free.put(task, freeSince(this, task, holds));
  }
}
