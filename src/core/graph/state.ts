import { type Cycle, type CycleIndex, couldCycle, cyclesAround, findCycles } from '#core/graph/cycles.js';
import type { BeyondNodes, Departed, Retired } from '#core/graph/departed.js';
import type { Entry, Patch } from '#core/graph/event.js';
import { edgesBetween } from '#core/graph/lib/edges-between.js';
import { Followers } from '#core/graph/lib/followers.js';
import { FreeTasks } from '#core/graph/lib/free-tasks.js';
import { GrowingList } from '#core/graph/lib/growing-list.js';
import { isRestless, outcomeOf } from '#core/graph/lib/outcome.js';
import { type Growth, Tally } from '#core/graph/lib/tally.js';
import { type CycleHolds, freeSince } from '#core/graph/ready.js';
import { type GraphNode, isStatus, isTask, type LogEntry, type Status, type Task } from '#core/graph/task.js';
import type { GraphDraft, GraphView, TaskOutline } from '#core/graph/view.js';
import { PersistentMap } from '#kernel/persistent-map.js';

const NOBODY: readonly string[] = [];

/**
 * The graph in memory, with the indexes that keep hot paths away from O(graph): who comes after whom, which tasks wait
 * for nobody, how many there are of each status. Every change goes through `apply`; `freeze` hands out a picture.
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
  /** Who is free is worked out when somebody first asks: a command that shows one task never does. */
  private weighed: boolean;
  /** Until then: of those that were read in, who waits for an unfinished one, as long as nothing is changed around them. */
  private held: Set<string> | undefined;
  /** Not there until somebody asks, or a change of edges made it void. */
  private loops: CycleIndex | undefined;
  /** All ids in the order of the file, once somebody asked; shared with copies, and another one as soon as an id comes or goes. */
  private order: { ids?: readonly string[] } = {};
  /** Within one entry: did edges change so that cycles may have, and which members of cycles moved? */
  private bent = false;
  private moved: { readonly id: string; readonly restless: boolean }[] = [];

  /** Empty, or a copy of another. `expected`: about how many nodes will come. */
  constructor(copyOf?: { state: GraphState; writable: boolean }, expected = 0) {
    const copy = <Value>(map: PersistentMap<Value> | undefined, size = 0): PersistentMap<Value> =>
      (copyOf?.writable ? map?.fork() : map?.freeze()) ?? new PersistentMap(size);
    this.lastSeq = copyOf?.state.lastSeq ?? 0;
    this.all = copy(copyOf?.state.all, expected);
    this.after = copy(copyOf?.state.after, expected);
    this.weighed = copyOf?.state.weighed ?? true;
    this.free = new FreeTasks(this.weighed ? copyOf?.state.free : undefined, copyOf?.writable);
    const { parked, unplaced, doubted, unreviewed, merged, makers } = copyOf?.state.tally.maps ?? {};
    const maps = { parked: copy(parked), unplaced: copy(unplaced), doubted: copy(doubted), merged: copy(merged) };
    this.tally = new Tally({ ...maps, unreviewed: copy(unreviewed), makers: copy(makers) }, copyOf?.state.tally);
    const { isCurrent = true, ids } = copyOf?.state.followers ?? {};
    this.followers = new Followers(this, this.tally.maps, isCurrent ? copy(ids) : undefined);
    this.loops = copyOf?.state.loops;
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

  /** All nodes in the order of the file, by id as bytes. */
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

  /** `seq` of the last entry that changed who is gone. */
  get retiredSeq(): number {
    return this.lastRetired;
  }

  *retiredIds(): Iterable<Retired> {
    for (const id of this.retired.keys()) yield this.departed(id) ?? id;
  }

  freeze(): GraphState {
    if (this.weighed && this.tally.configs > 0) this.index(); // here and not on each copy
    if (this.weighed) this.followers.settle();
    return new GraphState({ state: this, writable: false });
  }

  fork(): GraphDraft {
    this.settle(); // here and not on each copy: whoever forks again and again pays once
    return new GraphState({ state: this, writable: true });
  }

  /** Reads a whole snapshot in: nodes as they stand, `seq` as of that snapshot. Only for an empty state. */
  load(nodes: Iterable<GraphNode>, seq: number, beyond: BeyondNodes = {}): void {
    const { retired = [], retiredSeq = seq, lastRun = 0 } = beyond;
    const list = [...nodes];
    for (const node of list) {
      this.all.set(node.id, node);
      if (!isTask(node)) continue;
      this.tally.add(node, 1);
      this.tally.born(node);
    }
    const { after, held } = edgesBetween(list);
    for (const [predecessor, dependents] of after) this.after.set(predecessor, new GrowingList(dependents));
    for (const item of retired) {
      if (typeof item === 'string') this.retired.set(item, true);
      else this.retired.set(item.id, item);
    }
    this.order = list.length === this.all.size ? { ids: list.map(({ id }) => id).sort() } : {};
    this.weighed = false;
    this.followers.void();
    this.loops = undefined;
    this.lastSeq = seq;
    this.lastRetired = retiredSeq;
    this.tally.lastRun = Math.max(this.tally.lastRun, lastRun);
    this.held = held;
  }

  /** Redoes one entry. Doing it again changes nothing. */
  apply(entry: Entry): void {
    const before = this.loops;
    this.bent = false;
    this.moved = [];
    for (const patch of entry.patch) this.applyPatch(patch, entry);
    if (this.weighed && this.tally.configs > 0) this.weighCycles(before);
    if (entry.seq > this.lastSeq) this.lastSeq = entry.seq;
  }

  private applyPatch(patch: Patch, { seq, tx }: Entry): void {
    if ('del' in patch) {
      this.place(patch.id, undefined, seq);
      const { id, to, kept: node } = patch;
      if (to === undefined || !isStatus(node?.['status'])) return;
      this.retired.set(id, { id, to, last: node['status'], seq, batch: seq - (tx?.[0] ?? 1) + 1 });
      this.lastRetired = seq;
      if (this.weighed) for (const dependent of this.dependents(id)) this.weigh(dependent);
      return;
    }
    const present = this.all.get(patch.id);
    if ('put' in patch) {
      const next = { ...(patch.put as GraphNode), rev: seq };
      // Adopted where it lies already: a node that only has another `rev` changes no index.
      if (patch.put === present) this.all.set(patch.id, next);
      else this.place(patch.id, next, seq);
      if (isTask(next)) this.tally.touched(next);
      return;
    }
    if (!present) return; // a change of a task that a later entry removed
    const next: Record<string, unknown> = { ...present, ...patch.set };
    for (const field of patch.unset ?? []) delete next[field];
    if (patch.log) {
      const older = ((present['log'] as readonly LogEntry[] | undefined) ?? []).slice(0, patch.log_at ?? 0);
      next['log'] = [...older, ...patch.log];
    }
    next['rev'] = seq;
    this.place(patch.id, next as GraphNode, seq);
  }

  /** Puts a node in its place (or takes it away) and mends the indexes around it. */
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
    if (newTask && !oldTask) this.tally.born(newTask);
    if (oldTask?.after !== newTask?.after) this.moveEdges(id, oldTask?.after ?? NOBODY, newTask?.after ?? NOBODY);
    this.followers.changed(id, oldTask, newTask);
    if (this.bendsCycles(id, oldTask, newTask)) this.bend();
    if (!this.weighed) {
      this.held?.delete(id);
      if (oldTask?.status !== newTask?.status)
        for (const dependent of this.dependents(id)) this.held?.delete(dependent);
      return;
    }
    this.weigh(id);
    if (this.loops?.innermost.has(id)) this.moved.push({ id, restless: isRestless(oldTask) });
    if (outcomeOf(oldTask) !== outcomeOf(newTask)) for (const dependent of this.dependents(id)) this.weigh(dependent);
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
    if (this.loops ? couldCycle(this, id, fresh) : this.bent) this.bend();
  }

  /** Configs and edges of members, and whether what they come after exists, decide which member is the header. */
  private bendsCycles(id: string, before: Task | undefined, next: Task | undefined): boolean {
    if (before?.cycle_config !== next?.cycle_config) return true;
    const { loops } = this;
    if (!loops || loops.innermost.size === 0) return false;
    if (loops.innermost.has(id) && before?.after !== next?.after) return true;
    const appears = (before === undefined) !== (next === undefined);
    return appears && this.dependents(id).some((dependent) => loops.innermost.has(dependent));
  }

  /** What is known of cycles no longer holds. */
  private bend(): void {
    this.bent = true;
    this.loops = undefined;
  }

  private index(): CycleIndex {
    this.loops ??= findCycles(this.tasks());
    return this.loops;
  }

  private *tasks(): Iterable<Task> {
    for (const node of this.all.values()) if (isTask(node)) yield node;
  }

  /**
   * Headers are exempt from what comes into them from inside, and a failed member holds the others: after an entry that
   * touched edges or members, those around are weighed again. Costs the cycles touched, or all of them when edges changed.
   */
  private weighCycles(before: CycleIndex | undefined): void {
    const ids = new Set<string>();
    const around = (cycle: Cycle) => {
      for (const id of cycle.members) {
        ids.add(id);
        for (const dependent of this.dependents(id)) ids.add(dependent);
      }
    };
    if (this.bent) {
      for (const index of [before, this.index()]) {
        for (const cycle of index?.byHeader.values() ?? []) if (cycle.configured) around(cycle);
      }
    }
    for (const { id, restless } of this.moved) {
      for (const cycle of this.cyclesOf(id)) {
        if (!cycle.configured || ids.has(cycle.header)) continue;
        if (restless || cycle.members.some((member) => isRestless(this.task(member)))) around(cycle);
      }
    }
    const holds: CycleHolds = new Map();
    for (const id of ids) this.weigh(id, holds);
  }

  /** Works out who is free now rather than when somebody asks; `runnable` also in which order. */
  settle(): void {
    if (this.weighed) return;
    this.weighed = true; // nobody was free before
    const held = this.tally.configs === 0 ? this.held : undefined;
    this.held = undefined;
    const holds: CycleHolds = new Map();
    for (const task of this.tasks()) if (!held?.has(task.id)) this.keepFree(task, freeSince(this, task, holds));
  }

  /** Keeps whether this task is free, and since when. */
  private weigh(id: string, holds?: CycleHolds): void {
    this.free.remove(id);
    const task = this.task(id);
    if (task) this.keepFree(task, freeSince(this, task, holds));
  }

  private keepFree(task: Task, since: number | undefined): void {
    if (since !== undefined) this.free.put(task, since);
  }
}
