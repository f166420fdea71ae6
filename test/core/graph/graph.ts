import { decide } from '#core/coordinator/parts.js';
import { dueEvents, withConsequences } from '#core/graph/consequences.js';
import { toEntries } from '#core/graph/entries.js';
import type { Entry, Plan } from '#core/graph/event.js';
import { claimTask, doneTask, failTask, type Mover } from '#core/graph/moves.js';
import { readiness } from '#core/graph/ready.js';
import { GraphState } from '#core/graph/state.js';
import type { NodeFields, Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { FileFacts } from '#core/graph/wait.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { quietSnapshot } from '../coordinator/quiet-snapshot.js';

/** Fields of a task, including those of any module and of other tools. */
export type TaskFields = Partial<Task> & NodeFields;

export const NOW = Date.parse('2026-03-21T10:00:00.000Z');
export const ann = { name: 'ann' };

/** A graph of these tasks, as loaded from a file. */
export function graphOf(...tasks: (TaskFields & { id: string })[]): GraphState {
  const state = new GraphState();
  state.load(
    tasks.map((task) => ({ kind: 'task', title: task.id, status: 'open', ...task }) as Task),
    1,
  );
  return state;
}

/** Commits a plan as a store does; returns its result. */
export function commit<Result>(state: GraphState, plan: Plan<Result>, now = NOW): Result {
  let number = 0;
  const entries = toEntries(plan.events, { seq: state.seq, id: undefined }, timestamp(now), () => `e${number++}`);
  for (const entry of entries) state.apply(JSON.parse(JSON.stringify(entry)));
  return plan.result;
}

/** A graph to play moves on: each is committed with its consequences, one second after the previous one. */
export class Play {
  readonly state: GraphState;
  readonly entries: Entry[] = [];
  now = NOW;

  constructor(...tasks: (TaskFields & { id: string })[]) {
    this.state = graphOf(...tasks);
  }

  /** Commits a decision; returns its result. */
  move<Result>(
    decide: (view: GraphState, options: { now: number; by: Mover }) => Plan<Result>,
    by: Mover = ann,
  ): Result {
    this.now += 1_000;
    const plan = withConsequences(this.state, decide(this.state, { now: this.now, by }), this.now);
    return this.write(plan);
  }

  /** Applies the coordinator's own changes at this time. */
  tick(now: number, files: FileFacts = new Map()): void {
    this.now = now;
    const draft = this.state.fork();
    this.write({ events: dueEvents(draft, now, files), result: undefined });
  }

  /** Lets the coordinator place the tasks that have no executor. */
  place(): void {
    const decisions = decide({ ...quietSnapshot(this.state), paused: true }, this.now);
    this.write({ events: decisions.flatMap((decision) => decision.events), result: undefined });
  }

  claim = (id: string, by: Mover = ann) => this.move((view, options) => claimTask(view, id, options), by);
  done = (id: string, converged = false) => this.move((view, options) => doneTask(view, id, { ...options, converged }));
  fail = (id: string, reason = 'no luck') => this.move((view, options) => failTask(view, id, { ...options, reason }));

  task(id: string): Task {
    return taskOf(this.state, id);
  }

  /** Statuses in the order of the given ids: `open, done`. */
  statuses(...ids: string[]): string {
    return ids.map((id) => this.task(id).status).join(', ');
  }

  ready(): string[] {
    const ids = [...this.state.nodes()].map((node) => node.id).sort();
    return ids.filter((id) => readiness(this.state, id, this.now).ready);
  }

  ops(op: string): Entry[] {
    return this.entries.filter((entry) => entry.op === op);
  }

  private write<Result>(plan: Plan<Result>): Result {
    const at = { seq: this.state.seq, id: undefined };
    for (const entry of toEntries(plan.events, at, timestamp(this.now), () => `e${this.entries.length}`)) {
      this.state.apply(JSON.parse(JSON.stringify(entry)));
      this.entries.push(entry);
    }
    return plan.result;
  }
}

/** Code of the error thrown; `none` if there is none. */
export function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof TroupeError) return error.code;
    throw error;
  }
  return 'none';
}

/** A task with arbitrary fields, as edited by hand. */
export const task = (fields: object = {}): Task => ({ kind: 'task', id: 'a', title: 'a', status: 'open', ...fields });
export const AT = '2026-03-21T09:00:00.000Z';
export const RUN = { name: 'agent-1', fence: 1, taskId: 'a' };
