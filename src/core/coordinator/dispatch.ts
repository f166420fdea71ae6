import { Ledger } from '#core/coordinator/budget.js';
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
  const { snapshot, slots, now } = tick;
  if (slots === 0 || snapshot.paused || now < tick.backOffUntil) return;
  const ledger = snapshot.budget && new Ledger(snapshot.budget);
  let number = snapshot.nextRun;
  let free = slots;
  for (const { task, executor } of inOrder(tick)) {
    if (free === 0) return;
    const client = executor !== 'shell';
    if (client && ledger?.refusal(task) !== undefined) continue; // one that asks for less may still fit
    const reserve = client ? ledger?.take(task) : undefined;
    const run = `agent-${number++}`;
    free--;
    const detail = { run, executor, ...(reserve ? { reserve: { ...reserve } } : {}) };
    const plan = claimTask(tick.graph, task.id, { now, by: { name: run }, ...(reserve ? { detail } : {}) });
    const spawned: Plan<undefined> = {
      events: [{ op: 'spawn_agent', task_id: task.id, actor: run, detail, patch: [] }],
      result: undefined,
    };
    tick.decisions.push({
      do: 'dispatch',
      run,
      task: task.id,
      fence: plan.result.fence,
      timeoutMs: timeoutOf(task),
      executor,
      reason: 'It is ready and a slot is free',
      events: [...tick.act(plan), ...tick.act(spawned)],
    });
  }
}

/** Commands are many and cheap to look at; tasks for a client are looked at only when there is one. */
function inOrder({ graph, snapshot, slots, now }: Tick): { task: Task; executor: string }[] {
  const commands = firstReady(graph, graph.runnable(), slots, now).map((found) => ({ ...found, executor: 'shell' }));
  const { executor } = snapshot;
  if (executor === undefined) return commands;
  const asksForClient = (task: Task) => task.exec === undefined && task.exec_mode !== 'shell' && !isForPerson(task);
  const most = snapshot.budget ? LIMITS.budgetCandidates : slots;
  const clients = firstReady(graph, graph.candidates(), most, now, asksForClient).map((found) => ({
    ...found,
    executor,
  }));
  return [...commands, ...clients].sort(
    (left, right) => left.since - right.since || (left.task.id < right.task.id ? -1 : 1),
  );
}

/** Somebody has said that a person does it. */
function isForPerson(task: Task): boolean {
  return task['human'] === true;
}

/** The `most` tasks that have been ready longest. One look at each candidate; nothing is sorted but what is taken. */
function firstReady(
  graph: GraphDraft,
  candidates: Iterable<string>,
  most: number,
  now: number,
  wanted: (task: Task) => boolean = () => true,
): { task: Task; since: number }[] {
  const first: { id: string; since: number }[] = [];
  for (const id of candidates) {
    const since = graph.readyAt(id) ?? 0;
    const last = first.at(-1);
    if (since > now && !readiness(graph, id, now).ready) continue; // only a clock set back makes such a task ready
    if (first.length === most && last && (since > last.since || (since === last.since && id > last.id))) continue;
    const task = graph.task(id);
    if (!task || !wanted(task)) continue;
    const place = first.findIndex((other) => since < other.since || (since === other.since && id < other.id));
    first.splice(place === -1 ? first.length : place, 0, { id, since });
    if (first.length > most) first.pop();
  }
  return first.flatMap(({ id, since }) => {
    const task = graph.task(id);
    return task ? [{ task, since }] : [];
  });
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
