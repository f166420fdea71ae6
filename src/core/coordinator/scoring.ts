import { type AgencyTick, addFor, isOurs, keep, metaTask, readyTasks } from '#core/coordinator/agency.js';
import { AGENT, HUMAN } from '#core/graph/assignee.js';
import { editTask } from '#core/graph/edit.js';
import { EVAL_GATE } from '#core/graph/gate.js';
import { awaitsScore, reopenTask } from '#core/graph/moves.js';
import { isIdForm } from '#core/graph/slug.js';
import { isTask, isTerminal, type Task } from '#core/graph/task.js';
import { timeOf } from '#core/graph/time.js';
import { LIMITS } from '#kernel/limits.js';

const BY = { name: 'coordinator' };
const WHY = 'It is to be scored';

/**
 * Phase 4: work that begins gets a task after it that scores it, and a gated one is told that its score is awaited. One that
 * is tried again is scored again. Without a model nothing is made that could only fail; what is gated waits all the same, and
 * is scored when there is one.
 */
export function evaluate(tick: AgencyTick): void {
  const { agency, runs } = tick.facts;
  if (!agency.autoEvaluate) return;
  let left: number = LIMITS.metaTasksAtOnce;
  const running = runs.flatMap(({ taskId }) => tick.graph.task(taskId) ?? []);
  for (const task of [...readyTasks(tick), ...running]) {
    if (left === 0) return;
    if (!isScored(tick, task) || isTerminal(task.status)) continue;
    if (agency.unjudged === undefined ? schedule(tick, task) : awaitLater(tick, task)) left--;
  }
  if (agency.unjudged === undefined && agency.judgeIsNew) catchUp(tick);
}

/** Work of people is not scored, nor what is about the agency itself. */
function isScored(tick: AgencyTick, task: Task): boolean {
  const { human = false } = tick.facts.agency.agents.get(String(AGENT.of(task))) ?? {};
  return !human && HUMAN.of(task) !== true && !isOurs(tick, task);
}

/** Sees to it that a task has its score coming; false where all is as it should be. */
function schedule(tick: AgencyTick, task: Task): boolean {
  const id = evaluationId(task);
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
      keep(tick, task.id, WHY, editTask(tick.graph, id, { add_after: [task.id] }, { by: BY }));
  }
  return (over || !isTerminal(there.status)) && awaitScore(tick, task) ? true : over;
}

/** There is nobody to score it now; what is gated does not go on for that. */
function awaitLater(tick: AgencyTick, task: Task): boolean {
  const there = tick.graph.task(evaluationId(task));
  const comes = there === undefined || isOver(task, there) || !isTerminal(there.status);
  return comes && awaitScore(tick, task);
}

/** A model is there, for the first time or again: what waits for its score since then gets one. Looks at the whole graph once. */
function catchUp(tick: AgencyTick): void {
  const { graph } = tick;
  if (graph.count('pending-validation') === 0) return;
  for (const task of graph.nodes()) {
    if (!isTask(task) || task.status !== 'pending-validation' || !awaitsScore(task) || !isScored(tick, task)) continue;
    const there = graph.task(evaluationId(task));
    if (there === undefined) add(tick, task, []);
    else if (isBefore(there, task)) again(tick, task, 'a model is there to score it');
  }
}

function evaluationId(task: Task): string {
  return `evaluate-${task.id}`;
}

/** Its evaluation was about an earlier try. */
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
  const id = evaluationId(task);
  if (tick.graph.wasUsed(id) || !isIdForm(id)) return false;
  const fields = metaTask(tick, id, `Evaluate ${task.id}`, 'evaluate run "$IN_TASK"', 'evaluation', task.id);
  addFor(tick, task, after.length === 0 ? fields : { ...fields, after: [...after] }, WHY);
  return true;
}

function again(tick: AgencyTick, task: Task, reason: string): void {
  keep(tick, task.id, WHY, reopenTask(tick.graph, evaluationId(task), { now: tick.now, by: BY, reason }));
}

/** What a task must score stands on it while its evaluation is to come. */
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
