import { toEntries } from '#core/graph/entries.js';
import type { Plan } from '#core/graph/event.js';
import { GraphState } from '#core/graph/state.js';
import type { Task } from '#core/graph/task.js';
import { timestamp } from '#kernel/clock.js';

export const NOW = Date.parse('2026-03-21T10:00:00.000Z');
export const ann = { name: 'ann' };

/** A graph of these tasks, as one finds them in a file. */
export function graphOf(...tasks: (Partial<Task> & { id: string })[]): GraphState {
  const state = new GraphState();
  state.load(
    tasks.map((task) => ({ kind: 'task', title: task.id, status: 'open', ...task }) as Task),
    1,
  );
  return state;
}

/** Commits a plan as a store does, and answers its result. */
export function commit<Result>(state: GraphState, plan: Plan<Result>, now = NOW): Result {
  let number = 0;
  const entries = toEntries(plan.events, { seq: state.seq, id: undefined }, timestamp(now), () => `e${number++}`);
  for (const entry of entries) state.apply(JSON.parse(JSON.stringify(entry)));
  return plan.result;
}
