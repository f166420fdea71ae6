import { move } from '#core/graph/lib/move.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { compareText } from '#kernel/order.js';
import { decideCycle } from './cycle-decision.js';
import { cycleEvent } from './cycle-moves.js';
import type { EventDraft, Plan } from './event.js';
import { waitAfterMessage } from './message.js';
import { failTask } from './moves.js';
import type { Task, WaitSpec } from './task.js';
import type { GraphDraft, GraphView } from './view.js';
import { evaluateWait, type FileFacts, formatWait, wake } from './wait.js';

const BY = { name: 'coordinator' };

/**
 * Returns the plan with all immediate consequences in the same group of events: cycles that iterate or end, and waits
 * that are over. So a cycle between two iterations is never seen as finished. Every store runs this on every commit.
 */
export function withConsequences<Result>(view: GraphView, plan: Plan<Result>, now: number): Plan<Result> {
  const idle = !view.mayIterate() && view.count('waiting') === 0 && !plan.events.some(startsSomething);
  if (plan.events.length === 0 || idle) return plan;
  const graph = view.fork();
  const settling = new Settling(graph, now);
  for (const event of plan.events) {
    applyDraft(graph, event);
    settling.applyMessage(event);
    settling.wakeMetWaits(idsOf(event));
  }
  settling.follow(plan.events.flatMap(idsOf));
  return settling.events.length === 0 ? plan : { ...plan, events: [...plan.events, ...settling.events] };
}

/**
 * Events caused by time and files alone, and consequences that an earlier service left undone; runs once a tick. The
 * events are applied to `graph`.
 */
export function dueEvents(graph: GraphDraft, now: number, files: FileFacts): readonly EventDraft[] {
  if (!graph.mayIterate() && graph.count('waiting') === 0) return [];
  const settling = new Settling(graph, now, files);
  const cyclic: string[] = [];
  if (graph.mayIterate()) for (const cycle of graph.cycles()) if (cycle.configured) cyclic.push(cycle.header);
  settling.wakeMetWaits();
  settling.follow([...cyclic, ...graph.waiting()]);
  return settling.events;
}

/** Whether the event itself may add the first cycle config or the first wait. */
function startsSomething(event: EventDraft): boolean {
  return (
    event.op === 'wait' ||
    event.patch.some(
      (patch) => ('put' in patch ? patch.put : 'set' in patch ? patch.set : {})?.['cycle_config'] !== undefined,
    )
  );
}

function idsOf(event: EventDraft): string[] {
  return event.patch.map((patch) => patch.id);
}

class Settling {
  readonly events: EventDraft[] = [];
  private readonly graph: GraphDraft;
  private readonly now: number;
  private readonly files: FileFacts | undefined;

  constructor(graph: GraphDraft, now: number, files?: FileFacts) {
    this.graph = graph;
    this.now = now;
    this.files = files;
  }

  /**
   * Repeats until nothing more follows. Cycles are decided before hopeless waits: a failed task may be about to be
   * reopened.
   */
  follow(touched: readonly string[]): void {
    let ids: ReadonlySet<string> = new Set(touched);
    for (let round = 0; ids.size > 0 && round < WORK_LIMITS.consequenceRounds; round++) {
      const from = this.events.length;
      this.turnCycles(ids);
      if (this.events.length === from) this.endWaits();
      ids = new Set(this.events.slice(from).flatMap(idsOf));
    }
  }

  /**
   * Wakes tasks whose awaited status is reached now, even if only for a moment. Without ids, all waiting tasks are
   * examined.
   */
  wakeMetWaits(ids?: readonly string[]): void {
    if (this.graph.count('waiting') === 0) return;
    const moved = ids && new Set(ids);
    for (const id of [...this.graph.waiting()]) {
      const task = this.graph.task(id);
      const wait = waitOf(task);
      if (!task || !wait || (moved && !concerns(wait, moved))) continue;
      const { met, progress } = evaluateWait(this.graph, wait, {
        now: this.now,
        files: this.files,
        settled: () => false,
      });
      if (met) this.emit(wake(task, `${formatWait(wait)} is there`, this.options()));
      else if (progress) this.emit(move(task, 'wait_progress', this.options(), { wait_condition: progress }, []));
    }
  }

  /**
   * Applies a message event to a task that waits for messages. It must be handled now, because the graph does not show
   * it later.
   */
  applyMessage(event: EventDraft): void {
    const task = event.task_id === undefined ? undefined : this.graph.task(event.task_id);
    const wait = task?.status === 'waiting' ? waitOf(task) : undefined;
    const progress = wait && waitAfterMessage(wait, event);
    if (!task || !progress) return;
    const facts = { now: this.now, files: this.files, settled: () => false };
    if (evaluateWait(this.graph, progress, facts).met)
      this.emit(wake(task, `${formatWait(progress)} is there`, this.options()));
    else this.emit(move(task, 'wait_progress', this.options(), { wait_condition: progress }, []));
  }

  private turnCycles(ids: ReadonlySet<string>): void {
    if (!this.graph.mayIterate()) return;
    const headers = new Set<string>();
    for (const id of ids) for (const cycle of this.graph.cyclesOf(id)) if (cycle.configured) headers.add(cycle.header);
    for (const header of this.innermostFirst(headers)) {
      const cycle = this.graph.cycle(header);
      const event = cycle && cycleEvent(this.graph, cycle, decideCycle(this.graph, cycle), this.now);
      if (event) this.emit(event);
    }
  }

  private innermostFirst(headers: ReadonlySet<string>): string[] {
    const depth = (header: string) => this.graph.cyclesOf(header).length;
    return [...headers].sort((left, right) => depth(right) - depth(left) || compareText(left, right));
  }

  /** Ends waits whose condition can no longer be met, and circular waits. */
  private endWaits(): void {
    const settled = (task: Task) => this.isStatusFinal(task.id);
    for (const id of [...this.graph.waiting()]) {
      const task = this.graph.task(id);
      const wait = waitOf(task);
      if (!task || !wait) continue;
      const { hopeless } = evaluateWait(this.graph, wait, { now: this.now, files: this.files, settled });
      if (hopeless !== undefined)
        this.emit(wake(task, `its condition can no longer be met (${hopeless})`, this.options()));
    }
    for (const { id, chain } of circularWaits(this.graph)) {
      const plan = failTask(this.graph, id, { ...this.options(), reason: `Circular wait: ${chain}` });
      for (const event of plan.events) this.emit(event);
    }
  }

  /** Whether the status of a task is final. A terminal task in a cycle that has not ended may be reopened. */
  private isStatusFinal(id: string): boolean {
    if (!this.graph.mayIterate()) return true;
    return this.graph.cyclesOf(id).every((cycle) => !cycle.configured || decideCycle(this.graph, cycle).do === 'ended');
  }

  private options() {
    return { now: this.now, by: BY };
  }

  private emit(event: EventDraft): void {
    applyDraft(this.graph, event);
    this.events.push(event);
    this.wakeMetWaits(idsOf(event));
  }
}

function waitOf(task: Task | undefined): WaitSpec | undefined {
  const wait = task?.wait_condition;
  return Array.isArray(wait?.conditions) ? wait : undefined;
}

function concerns(wait: WaitSpec, ids: ReadonlySet<string>): boolean {
  return wait.conditions.some((condition) => condition.type === 'task-status' && ids.has(condition.task_id));
}

/**
 * Finds waiting tasks that only tasks of the same set could wake. Tasks that can still be woken from outside are
 * removed repeatedly; the remaining ones wait for ever.
 */
function circularWaits(view: GraphView): { id: string; chain: string }[] {
  const waiting = new Map<string, string[]>();
  for (const id of view.waiting()) {
    const wait = waitOf(view.task(id));
    if (!wait) continue;
    const awaited = wait.conditions.map((condition) =>
      condition.type === 'task-status' && (condition as { seen?: unknown }).seen !== true
        ? condition.task_id
        : undefined,
    );
    waiting.set(
      id,
      wait.mode === 'any' && awaited.includes(undefined) ? [] : awaited.filter((other) => other !== undefined),
    );
  }
  for (let before = -1; before !== waiting.size; ) {
    before = waiting.size;
    for (const [id, awaited] of waiting) {
      const any = view.task(id)?.wait_condition?.mode === 'any';
      const stuck = any
        ? awaited.length > 0 && awaited.every((other) => waiting.has(other))
        : awaited.some((other) => waiting.has(other));
      if (!stuck) waiting.delete(id);
    }
  }
  return [...waiting.keys()].sort().map((id) => ({ id, chain: chainFrom(id, waiting) }));
}

function chainFrom(start: string, waiting: ReadonlyMap<string, readonly string[]>): string {
  const chain = [start];
  for (let id = start; ; ) {
    const next = (waiting.get(id) ?? []).find((other) => waiting.has(other));
    if (next === undefined) break;
    const closed = chain.includes(next);
    chain.push(next);
    if (closed) break;
    id = next;
  }
  return chain.join(' → ');
}

/** Applies an event to a draft before it is committed, for the decisions that follow. */
export function applyDraft(graph: GraphDraft, event: EventDraft): void {
  graph.apply({ ...event, seq: graph.seq, id: '', timestamp: '' });
}
