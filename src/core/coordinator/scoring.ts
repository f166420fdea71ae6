import { EVAL_GATE } from '#core/graph/acceptance.js';
import { AGENT } from '#core/graph/assignee.js';
import { editTask } from '#core/graph/edit.js';
import type { EventDraft, Patch } from '#core/graph/event.js';
import { concernsCurrentAttempt, type FlipCheck, flipCheckOf } from '#core/graph/flip-check.js';
import { awaitsScore, reopenTask } from '#core/graph/moves.js';
import { isIdForm } from '#core/graph/slug.js';
import { isTask, isTerminal, type Task } from '#core/graph/task.js';
import { timeOf } from '#core/graph/time.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { type AgencyTick, addFor, isOurs, keep, metaTask, readyTasks } from './agency.js';

const BY = { name: 'coordinator' };
const TO_BE_SCORED = 'It is to be scored';
const DOUBTED = 'Its output shows badly what it was for';

/**
 * Phase 4: adds an evaluation task after each task that starts, and marks gated tasks as awaiting a score. A task that
 * is tried again is scored again. Tasks that ended before scoring was switched on follow, a few per tick. Without a
 * model no evaluation is added, as it could only fail; gated tasks still wait, and are scored once there is a model.
 */
export function evaluate(tick: AgencyTick): void {
  const { agency, runs } = tick.facts;
  if (!agency.autoEvaluate) return;
  let remaining: number = TEAM_LIMITS.metaTasksAtOnce;
  const running = runs.flatMap(({ taskId }) => tick.graph.task(taskId) ?? []);
  for (const task of [...readyTasks(tick), ...running]) {
    if (remaining === 0) return;
    if (!isScored(tick, task) || isTerminal(task.status)) continue;
    if (agency.unjudged === undefined ? schedule(tick, task) : awaitLater(tick, task)) remaining--;
  }
  if (agency.unjudged !== undefined) return;
  if (agency.judgeIsNew) catchUp(tick);
  for (const id of agency.unscored) {
    if (remaining === 0) return;
    const task = tick.graph.task(id);
    if (task && hasEnded(task) && isScored(tick, task) && add(tick, task, [])) remaining--;
  }
}

/** Whether a task gets a score: work of people and internal tasks do not. */
function isScored(tick: AgencyTick, task: Task): boolean {
  const { human = false } = tick.facts.agency.agents.get(String(AGENT.of(task))) ?? {};
  return !human && !isOurs(tick, task);
}

/** Adds or reopens the evaluation of a task if needed; false if nothing had to change. */
function schedule(tick: AgencyTick, task: Task): boolean {
  const id = evaluationTask(task.id);
  const there = tick.graph.task(id);
  if (there === undefined) {
    if (!add(tick, task, [task.id])) return false;
    awaitScore(tick, task);
    return true;
  }
  const over = isOver(task, there);
  if (over) {
    again(tick, task, `${task.id} is tried again`);
    if (!there.after?.includes(task.id))
      keep(tick, task.id, TO_BE_SCORED, editTask(tick.graph, id, { add_after: [task.id] }, { by: BY }));
  }
  return (over || !isTerminal(there.status)) && awaitScore(tick, task) ? true : over;
}

/** Without a model to score it, only marks a gated task as awaiting its score. */
function awaitLater(tick: AgencyTick, task: Task): boolean {
  const there = tick.graph.task(evaluationTask(task.id));
  const comes = there === undefined || isOver(task, there) || !isTerminal(there.status);
  return comes && awaitScore(tick, task);
}

/**
 * Called when a model becomes available: schedules evaluations for tasks that wait for a score. Scans the whole graph
 * once.
 */
function catchUp(tick: AgencyTick): void {
  const { graph } = tick;
  if (graph.count('pending-validation') === 0) return;
  for (const task of graph.nodes()) {
    if (!isTask(task) || task.status !== 'pending-validation' || !awaitsScore(task) || !isScored(tick, task)) continue;
    const there = graph.task(evaluationTask(task.id));
    if (there === undefined) add(tick, task, []);
    else if (isBefore(there, task)) again(tick, task, 'a model is there to score it');
  }
}

/** Id of the task that scores another. */
export function evaluationTask(task: string): string {
  return `evaluate-${task}`;
}

/** Whether the evaluation belongs to an earlier attempt. */
function isOver(task: Task, evaluation: Task): boolean {
  return task.status === 'open' && hasEnded(evaluation);
}

function isBefore(evaluation: Task, task: Task): boolean {
  return hasEnded(evaluation) && timeOf(evaluation.completed_at) < timeOf(task.started_at);
}

function hasEnded({ status }: Task): boolean {
  return status === 'done' || status === 'failed';
}

function add(tick: AgencyTick, task: Task, after: readonly string[]): boolean {
  const id = evaluationTask(task.id);
  if (tick.graph.wasUsed(id) || !isIdForm(id)) return false;
  const fields = metaTask(tick, id, `Evaluate ${task.id}`, 'evaluate run "$IN_TASK"', 'evaluation', task.id);
  addFor(tick, task, after.length === 0 ? fields : { ...fields, after: [...after] }, TO_BE_SCORED);
  return true;
}

function again(tick: AgencyTick, task: Task, reason: string): void {
  keep(tick, task.id, TO_BE_SCORED, reopenTask(tick.graph, evaluationTask(task.id), { now: tick.now, by: BY, reason }));
}

/** Records the required score on a gated task; false if nothing had to change. */
function awaitScore(tick: AgencyTick, task: Task): boolean {
  const { gate } = tick.facts.agency;
  const gated = gate !== undefined && (gate.all || task.tags?.includes('eval-gate') === true);
  if (!gated || EVAL_GATE.of(task) === gate.threshold) return false;
  const event = {
    op: 'await_score',
    task_id: task.id,
    actor: BY.name,
    patch: [{ id: task.id, set: { eval_gate: gate.threshold } }],
  };
  keep(tick, task.id, 'Its score is awaited', { events: [event], result: undefined });
  return true;
}

/** Id of the task that verifies another one. */
function verificationId(task: string): string {
  return `.verify-flip-${task}`;
}

/**
 * Phase 4.5: adds a task, after the evaluation, in which a stronger model verifies work with a low flip score. The
 * event that adds it also marks the work as asked: each score is verified once, even after a crash.
 */
export function flip(tick: AgencyTick): void {
  const { agency } = tick.facts;
  if (agency.verifyBelow === undefined) return;
  let remaining: number = TEAM_LIMITS.metaTasksAtOnce;
  for (const id of [...tick.graph.doubted()].sort()) {
    if (remaining === 0) return;
    const task = tick.graph.task(id);
    const check = task && flipCheckOf(task);
    if (!check || check.score >= agency.verifyBelow || !concernsCurrentAttempt(task, check)) continue;
    if (isScored(tick, task) && askForVerification(tick, task, check)) remaining--;
  }
}

/** False if no verification can be added now. */
function askForVerification(tick: AgencyTick, task: Task, check: FlipCheck): boolean {
  const id = verificationId(task.id);
  const there = tick.graph.task(id);
  const mark: Patch = { id: task.id, set: { flip_check: { ...check, state: 'asked' } } };
  if (there === undefined) {
    if (tick.graph.wasUsed(id) || !isIdForm(id.slice(1))) return false;
    const title = `Look into ${task.id}: does it do what was asked?`;
    const fields = metaTask(tick, id, title, 'evaluate run "$IN_TASK" --verify', 'evaluation', task.id);
    const node = { ...fields, after: verifiedAfter(tick, task) };
    const event: EventDraft = { op: 'add_task', task_id: id, actor: BY.name, patch: [{ id, put: node }, mark] };
    const events = tick.act({ events: [event], result: undefined });
    tick.want({ do: 'add-task', task: id, about: task.id, reason: DOUBTED, events });
    return true;
  }
  if (there.status !== 'open' && there.status !== 'done' && there.status !== 'failed') return false;
  const reason = `${task.id} has another low score`;
  const opened = reopenTask(tick.graph, id, { now: tick.now, by: BY, reason }).events;
  const event: EventDraft = { op: 'await_verification', task_id: task.id, actor: BY.name, patch: [mark] };
  keep(tick, task.id, DOUBTED, { events: [event, ...opened], result: undefined });
  const missing = verifiedAfter(tick, task).filter((before) => there.after?.includes(before) !== true);
  if (missing.length > 0) keep(tick, task.id, DOUBTED, editTask(tick.graph, id, { add_after: missing }, { by: BY }));
  return true;
}

/** Predecessors of a verification: the task and its evaluation, if that exists. */
function verifiedAfter({ graph }: AgencyTick, task: Task): string[] {
  const evaluation = graph.task(evaluationTask(task.id));
  return evaluation?.tags?.includes('evaluation') ? [task.id, evaluation.id] : [task.id];
}
