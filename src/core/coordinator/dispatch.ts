import { Ledger } from '#core/coordinator/budget.js';
import type { Decision } from '#core/coordinator/decision.js';
import { personFor } from '#core/coordinator/people.js';
import type { CoordinatorSnapshot } from '#core/coordinator/snapshot.js';
import { Tick } from '#core/coordinator/tick.js';
import type { Plan } from '#core/graph/event.js';
import { claimTask } from '#core/graph/moves.js';
import { readiness } from '#core/graph/ready.js';
import type { Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphDraft } from '#core/graph/view.js';
import { parseDuration } from '#kernel/duration.js';
import { TroupeError } from '#kernel/errors.js';
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
    free--;
    const reason = 'It is ready and a slot is free';
    tick.decisions.push(
      started(tick, task, { run: `agent-${number++}`, executor, reason }, client ? ledger : undefined),
    );
  }
}

/** What somebody who asks for a run of one task may say of it. */
export interface SpawnRequest {
  readonly task: string;
  readonly executor?: string | undefined;
  readonly model?: string | undefined;
  readonly timeoutMs?: number | undefined;
}

/**
 * A run that somebody asked for, whatever the slots and the pause say, by the same claim as any other. Errors:
 * `unknown_task`, `not_ready`, `wrong_status`, `exec_missing`, `budget_spent`.
 */
export function spawn(snapshot: CoordinatorSnapshot, request: SpawnRequest, now: number): Dispatched {
  const tick = new Tick(snapshot, now);
  const task = taskOf(tick.graph, request.task);
  const client = task.exec === undefined ? (request.executor ?? snapshot.executor) : undefined;
  if (task.exec === undefined && (client === undefined || client === 'shell' || task.exec_mode === 'shell')) {
    throw new TroupeError('exec_missing', { what: `${task.id} has no command, and there is no client to give it to.` });
  }
  const ledger = client === undefined || !snapshot.budget ? undefined : new Ledger(snapshot.budget);
  const refusal = ledger?.refusal(task);
  if (refusal !== undefined) throw new TroupeError('budget_spent', { what: `${task.id} does not fit: ${refusal}.` });
  const run = `agent-${snapshot.nextRun}`;
  const reason = 'Somebody asked for it';
  return started(tick, task, { ...request, run, executor: client ?? 'shell', reason }, ledger);
}

export type Dispatched = Extract<Decision, { do: 'dispatch' }>;

/** The claim, what it sets aside, and the run, as one decision. */
function started(
  tick: Tick,
  task: Task,
  told: { run: string; executor: string; reason: string; model?: string | undefined; timeoutMs?: number | undefined },
  ledger: Ledger | undefined,
): Dispatched {
  const { run, executor, reason, model, timeoutMs } = told;
  const reserve = ledger?.take(task);
  const detail = { run, executor, ...(reserve ? { reserve: { ...reserve } } : {}) };
  const plan = claimTask(tick.graph, task.id, { now: tick.now, by: { name: run }, ...(reserve ? { detail } : {}) });
  const spawned: Plan<undefined> = {
    events: [{ op: 'spawn_agent', task_id: task.id, actor: run, detail, patch: [] }],
    result: undefined,
  };
  return {
    do: 'dispatch',
    run,
    task: task.id,
    fence: plan.result.fence,
    timeoutMs: timeoutMs ?? timeoutOf(task, tick.terms.timeoutMs),
    executor,
    ...(model === undefined ? {} : { model }),
    reason,
    events: [...tick.act(plan), ...tick.act(spawned)],
  };
}

/** Commands are many and cheap to look at; tasks for a client are looked at only when there is one. */
function inOrder({ graph, snapshot, slots, now }: Tick): { task: Task; executor: string }[] {
  const commands = firstReady(graph, graph.runnable(), slots, now).map((found) => ({ ...found, executor: 'shell' }));
  const { executor } = snapshot;
  if (executor === undefined) return commands;
  const asksForClient = (task: Task) =>
    task.exec === undefined && task.exec_mode !== 'shell' && !isForPerson(task, snapshot);
  const most = snapshot.budget ? LIMITS.budgetCandidates : slots;
  const clients = firstReady(graph, graph.candidates(), most, now, asksForClient).map((found) => ({
    ...found,
    executor,
  }));
  return [...commands, ...clients].sort(
    (left, right) => left.since - right.since || (left.task.id < right.task.id ? -1 : 1),
  );
}

/** Somebody has said that a person does it, or a person is who it is given to. */
function isForPerson(task: Task, { people }: CoordinatorSnapshot): boolean {
  return task['human'] === true || personFor(task, people) !== undefined;
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

/** The time box of a task; one that cannot be read counts as none. */
export function timeoutOf(task: Task, otherwise: number = LIMITS.taskTimeoutMs): number {
  if (task.timeout === undefined) return otherwise;
  try {
    return parseDuration(task.timeout);
  } catch {
    return otherwise; // edited by hand into something unreadable; `show` still shows it
  }
}
