import type { Decision } from '#core/coordinator/decision.js';
import type { EndReason, RunFact } from '#core/coordinator/snapshot.js';
import type { Tick } from '#core/coordinator/tick.js';
import type { EventDraft, Plan } from '#core/graph/event.js';
import { doneTask, failTask, unclaimTask } from '#core/graph/moves.js';
import type { NodeFields, Task } from '#core/graph/task.js';
import { timestamp } from '#kernel/clock.js';
import { formatDuration } from '#kernel/duration.js';
import { LIMITS } from '#kernel/limits.js';

/** After this many attempts that died without a word a task is given up: something about it kills its runs. */
const DEATHS_MOST = 5;
const DEATH_PAUSE_MS = 1_000;
const COORDINATOR = { name: 'coordinator' };

/** Phase 1: what became of the runs, and how many places are free. */
export function reap(tick: Tick): void {
  const runs = [...tick.snapshot.runs].sort((left, right) => compare(left.id, right.id));
  let alive = 0;
  for (const run of runs) {
    const decision = reapRun(tick, run);
    if (decision) tick.decisions.push(decision);
    if (run.alive && run.exit === undefined && tick.graph.task(run.taskId)?.status !== 'waiting') alive++;
  }
  tick.slots = Math.max(0, tick.snapshot.maxAgents - alive);
}

/** What became of one run. */
function reapRun(tick: Tick, run: RunFact): Decision | undefined {
  const { graph, now } = tick;
  const task = graph.task(run.taskId);
  const claimed = task?.assigned === run.id && task.fence === run.fence;
  const holds = claimed && task.status === 'in-progress';
  const parked = claimed && task.status === 'waiting';
  if (parked && (run.exit || !run.alive)) return leave(tick, run, task);
  if (run.exit) return settle(tick, run, holds);
  if (!run.alive) return bury(tick, run, holds ? task : undefined);
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
function leave(tick: Tick, run: RunFact, task: Task): Decision {
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
    events: [...tick.act(plan), ...tick.act(complete(run, 'parked'))],
  };
}

function settle(tick: Tick, run: RunFact, holds: boolean): Decision {
  const { graph, now } = tick;
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
    events: [...tick.act(plan), ...tick.act(complete(run, outcome))],
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
function bury(tick: Tick, run: RunFact, task: Task | undefined): Decision {
  const { graph, now } = tick;
  const options = { now, by: { name: run.id, fence: run.fence }, detail: { run: run.id } };
  const dead = (plan: Plan<unknown> | undefined, reason: string): Decision => ({
    do: 'mark-dead',
    run: run.id,
    task: run.taskId,
    reason,
    events: [...tick.act(plan), ...tick.act(complete(run, 'dead'))],
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

/** Numbers inside ids count as numbers, so that agent-10 comes after agent-9. */
function compare(left: string, right: string): number {
  return left.length - right.length || (left < right ? -1 : left > right ? 1 : 0);
}
