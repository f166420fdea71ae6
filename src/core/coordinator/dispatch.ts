import type { Tick } from '#core/coordinator/tick.js';
import type { Plan } from '#core/graph/event.js';
import { claimTask } from '#core/graph/moves.js';
import { readiness } from '#core/graph/ready.js';
import type { Task } from '#core/graph/task.js';
import type { GraphDraft } from '#core/graph/view.js';
import { parseDuration } from '#kernel/duration.js';
import { LIMITS } from '#kernel/limits.js';

/** Phases 5 and 6: what is ready, first come, first served, into the free slots. */
export function dispatch(tick: Tick): void {
  const { graph, snapshot, slots, now, decisions } = tick;
  if (slots === 0 || snapshot.paused) return;
  let number = snapshot.nextRun;
  for (const task of firstReady(graph, slots, now)) {
    const run = `agent-${number++}`;
    const plan = claimTask(graph, task.id, { now, by: { name: run } });
    const spawned: Plan<undefined> = {
      events: [{ op: 'spawn_agent', task_id: task.id, actor: run, detail: { run, executor: 'shell' }, patch: [] }],
      result: undefined,
    };
    decisions.push({
      do: 'dispatch',
      run,
      task: task.id,
      fence: plan.result.fence,
      timeoutMs: timeoutOf(task),
      reason: 'It is ready and a slot is free',
      events: [...tick.act(plan), ...tick.act(spawned)],
    });
  }
}

/** The `most` tasks that have been ready longest. One look at each candidate; nothing is sorted but what is taken. */
function firstReady(graph: GraphDraft, most: number, now: number): Task[] {
  const first: { id: string; since: number }[] = [];
  for (const id of graph.runnable()) {
    const since = graph.readyAt(id) ?? 0;
    const last = first.at(-1);
    if (since > now && !readiness(graph, id, now).ready) continue; // only a clock set back makes such a task ready
    if (first.length === most && last && (since > last.since || (since === last.since && id > last.id))) continue;
    const place = first.findIndex((other) => since < other.since || (since === other.since && id < other.id));
    first.splice(place === -1 ? first.length : place, 0, { id, since });
    if (first.length > most) first.pop();
  }
  return first.map(({ id }) => graph.task(id)).filter((task) => task !== undefined);
}

/** The time box of a task; one that cannot be read counts as the default. */
export function timeoutOf(task: Task): number {
  if (task.timeout === undefined) return LIMITS.taskTimeoutMs;
  try {
    return parseDuration(task.timeout);
  } catch {
    return LIMITS.taskTimeoutMs; // edited by hand into something unreadable; `show` still shows it
  }
}
