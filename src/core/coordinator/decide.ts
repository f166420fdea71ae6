import type { CoordinatorSnapshot, EndReason, RunFact } from '#core/coordinator/snapshot.js';
import { dueEvents, withConsequences } from '#core/graph/consequences.js';
import { applyDraft } from '#core/graph/draft.js';
import type { EventDraft, Plan } from '#core/graph/event.js';
import { claimTask, doneTask, failTask, unclaimTask } from '#core/graph/moves.js';
import { readiness } from '#core/graph/ready.js';
import type { NodeFields, Task } from '#core/graph/task.js';
import type { GraphDraft } from '#core/graph/view.js';
import { timestamp } from '#kernel/clock.js';
import { formatDuration, parseDuration } from '#kernel/duration.js';
import { LIMITS } from '#kernel/limits.js';

/** One thing the coordinator wants, with the events that record it. Effects (spawn, kill) follow the commit. */
export type Decision = { readonly reason: string; readonly events: readonly EventDraft[] } & (
  | {
      readonly do: 'settle-exit';
      readonly run: string;
      readonly task: string;
      readonly outcome: 'done' | 'failed' | 'kept';
    }
  | { readonly do: 'settle-due' }
  | { readonly do: 'mark-dead'; readonly run: string; readonly task: string }
  | { readonly do: 'kill'; readonly run: string; readonly task: string; readonly why: EndReason }
  | {
      readonly do: 'dispatch';
      readonly run: string;
      readonly task: string;
      readonly fence: number;
      readonly timeoutMs: number;
    }
);

/** After this many attempts that died without a word a task is given up: something about it kills its runs. */
const DEATHS_MOST = 5;
const DEATH_PAUSE_MS = 1_000;
const COORDINATOR = { name: 'coordinator' };

/**
 * One pass of the coordinator, pure: the same snapshot and time give the same decisions, whatever the order of the
 * lists. Later phases see what earlier ones decided, so that a task freed by an exit starts in the same pass.
 */
export function decide(snapshot: CoordinatorSnapshot, now: number): Decision[] {
  const graph = snapshot.view.fork();
  const decisions: Decision[] = [];
  const runs = [...snapshot.runs].sort((left, right) => compare(left.id, right.id));
  let alive = 0;
  for (const run of runs) {
    const decision = reap(graph, run, now);
    if (decision) decisions.push(decision);
    if (run.alive && run.exit === undefined && graph.task(run.taskId)?.status !== 'waiting') alive++;
  }
  const due = dueEvents(graph, now, snapshot.files ?? new Map());
  if (due.length > 0) decisions.push({ do: 'settle-due', reason: 'Waits and cycles whose time had come', events: due });
  if (!snapshot.paused) dispatch(graph, snapshot, Math.max(0, snapshot.maxAgents - alive), now, decisions);
  return decisions;
}

/** Phase 1: what became of the runs. */
function reap(graph: GraphDraft, run: RunFact, now: number): Decision | undefined {
  const task = graph.task(run.taskId);
  const claimed = task?.assigned === run.id && task.fence === run.fence;
  const holds = claimed && task.status === 'in-progress';
  const parked = claimed && task.status === 'waiting';
  if (parked && (run.exit || !run.alive)) return leave(graph, run, task, now);
  if (run.exit) return settle(graph, run, holds, now);
  if (!run.alive) return bury(graph, run, holds ? task : undefined, now);
  const kill = (why: EndReason, reason: string): Decision => ({
    do: 'kill',
    run: run.id,
    task: run.taskId,
    why,
    reason,
    events: [],
  });
  if (run.ended) return undefined; // already told to end; its exit is on the way
  if (!holds && !parked) return kill('superseded', `${run.taskId} is no longer its task`);
  if (now - run.startedAt > run.timeoutMs) return kill('timeout', overtime(run));
  if (run.outputBytes > LIMITS.outputBytes) return kill('output', 'It printed more than an output file may hold');
  return undefined;
}

/** A run that parked its task has gone: the task waits on, and whoever takes it up then is another. */
function leave(graph: GraphDraft, run: RunFact, task: Task, now: number): Decision {
  const gone: EventDraft = {
    op: 'park',
    task_id: task.id,
    actor: run.id,
    detail: { run: run.id },
    patch: [{ id: task.id, unset: ['assigned', 'started_at'] }],
  };
  const plan: Plan<undefined> = { events: [gone], result: undefined };
  return {
    do: 'settle-exit',
    run: run.id,
    task: run.taskId,
    outcome: 'kept',
    reason: 'It parked its task',
    events: [...act(graph, plan, now), ...act(graph, complete(run, 'parked'), now)],
  };
}

function settle(graph: GraphDraft, run: RunFact, holds: boolean, now: number): Decision {
  const code = run.exit?.code ?? 1;
  const detail: NodeFields = {
    run: run.id,
    exit_code: code,
    ...(run.exit?.durationMs === undefined ? {} : { ms: run.exit.durationMs }),
  };
  const options = { now, by: { name: run.id, fence: run.fence }, detail };
  const settled = (outcome: 'done' | 'failed' | 'kept', plan: Plan<unknown> | undefined, reason: string): Decision => ({
    do: 'settle-exit',
    run: run.id,
    task: run.taskId,
    outcome,
    reason,
    events: [...act(graph, plan, now), ...act(graph, complete(run, outcome), now)],
  });
  if (!holds) return settled('kept', undefined, 'The task had moved on');
  if (run.ended === 'stopped')
    return settled('kept', unclaimTask(graph, run.taskId, { ...options, reason: 'the run was stopped' }), 'Stopped');
  if (code === 0 && run.ended === undefined)
    // Forced: a predecessor that was opened again meanwhile does not undo what this command did.
    return settled('done', doneTask(graph, run.taskId, { ...options, force: true }), 'It ended well');
  const reason = failureOf(run);
  return settled('failed', failTask(graph, run.taskId, { ...options, reason }), reason);
}

/** A run that is gone without an exit record, or never came: given back after a growing pause, given up after five. */
function bury(graph: GraphDraft, run: RunFact, task: Task | undefined, now: number): Decision {
  const options = { now, by: { name: run.id, fence: run.fence }, detail: { run: run.id } };
  const dead = (plan: Plan<unknown> | undefined, reason: string): Decision => ({
    do: 'mark-dead',
    run: run.id,
    task: run.taskId,
    reason,
    events: [...act(graph, plan, now), ...act(graph, complete(run, 'dead'), now)],
  });
  const release = (reason: string) => unclaimTask(graph, task?.id ?? '', { ...options, reason });
  const fail = (reason: string) => dead(failTask(graph, task?.id ?? '', { ...options, reason }), reason);
  if (!task) return dead(undefined, 'The task had moved on');
  if (!run.started && run.startError === undefined) return dead(release('the run never began'), 'It never began');
  if (run.ended === 'stopped') return dead(release('the run was stopped'), 'Stopped');
  if (run.ended) return fail(failureOf(run));
  const deaths = typeof task['deaths'] === 'number' ? task['deaths'] + 1 : 1;
  const what = run.startError === undefined ? 'died without a word' : `could not be started: ${run.startError}`;
  if (deaths >= DEATHS_MOST) return fail(`Its last ${deaths} attempts ended badly; ${run.id} ${what}`);
  const until = timestamp(now + DEATH_PAUSE_MS * 2 ** (deaths - 1));
  const pause: EventDraft = {
    op: 'edit',
    task_id: task.id,
    actor: COORDINATOR.name,
    patch: [{ id: task.id, set: { ready_after: until, deaths } }],
  };
  const plan = release(`${run.id} ${what}`);
  return dead({ events: [...plan.events, pause], result: undefined }, `It ${what}`);
}

/** Phases 5 and 6: what is ready, first come, first served, into the free slots. */
function dispatch(
  graph: GraphDraft,
  snapshot: CoordinatorSnapshot,
  slots: number,
  now: number,
  decisions: Decision[],
): void {
  if (slots === 0) return;
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
      events: [...act(graph, plan, now), ...act(graph, spawned, now)],
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

/** Does on the copy what will be committed, with all that follows from it, so that the next decision sees it. */
function act(graph: GraphDraft, plan: Plan<unknown> | undefined, now: number): readonly EventDraft[] {
  if (!plan) return [];
  const { events } = withConsequences(graph, plan, now);
  for (const event of events) applyDraft(graph, event);
  return events;
}

function complete(run: RunFact, outcome: string): Plan<undefined> {
  const detail = { run: run.id, outcome };
  return {
    events: [{ op: 'agent_complete', task_id: run.taskId, actor: run.id, detail, patch: [] }],
    result: undefined,
  };
}

/** The reason a person reads beside a failed task. */
function failureOf(run: RunFact): string {
  if (run.ended === 'timeout') return overtime(run);
  if (run.ended === 'output') return 'Agent printed more than an output file may hold';
  return `Agent exited with code ${run.exit?.code ?? 'unknown'}`;
}

function overtime(run: RunFact): string {
  return `Agent exceeded hard timeout (${formatDuration(run.timeoutMs)})`;
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

/** Numbers inside ids count as numbers, so that agent-10 comes after agent-9. */
function compare(left: string, right: string): number {
  return left.length - right.length || (left < right ? -1 : left > right ? 1 : 0);
}
