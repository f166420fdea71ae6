import { type AgencyTick, isOurs, keep, metaTask } from '#core/coordinator/agency.js';
import { AGENT } from '#core/graph/assignee.js';
import { editTask } from '#core/graph/edit.js';
import type { EventDraft, Patch } from '#core/graph/event.js';
import { type FlipCheck, flipCheckOf, isOfNow } from '#core/graph/flip-check.js';
import { reopenTask } from '#core/graph/moves.js';
import { isIdForm } from '#core/graph/slug.js';
import type { Task } from '#core/graph/task.js';
import { LIMITS } from '#kernel/limits.js';

const BY = { name: 'coordinator' };
const WHY = 'Its output shows badly what it was for';

/** The task that looks into another one. */
export function verificationId(task: string): string {
  return `.verify-flip-${task}`;
}

/**
 * Phase 4.5: work with a low score of what its output shows is looked into by a stronger model, in a task of its own that
 * comes after the evaluation. That it was asked for stands on the work with the same event that adds the task, so that one
 * score asks once, whatever dies in between.
 */
export function flip(tick: AgencyTick): void {
  const { agency } = tick.facts;
  if (agency.verifyBelow === undefined) return;
  let left: number = LIMITS.metaTasksAtOnce;
  for (const id of [...tick.graph.doubted()].sort()) {
    if (left === 0) return;
    const task = tick.graph.task(id);
    const check = task && flipCheckOf(task);
    if (!check || check.score >= agency.verifyBelow || !isOfNow(task, check)) continue;
    const { human = false } = agency.agents.get(String(AGENT.of(task))) ?? {};
    if (!human && !isOurs(tick, task) && ask(tick, task, check)) left--;
  }
}

/** False where nothing can be asked now. */
function ask(tick: AgencyTick, task: Task, check: FlipCheck): boolean {
  const id = verificationId(task.id);
  const there = tick.graph.task(id);
  const asked: Patch = { id: task.id, set: { flip_check: { ...check, state: 'asked' } } };
  if (there === undefined) {
    if (tick.graph.wasUsed(id) || !isIdForm(id.slice(1))) return false;
    const title = `Look into ${task.id}: does it do what was asked?`;
    const fields = metaTask(tick, id, title, 'evaluate verify "$IN_TASK"', 'evaluation', task.id);
    const put = { ...fields, after: comesAfter(tick, task) };
    const event: EventDraft = { op: 'add_task', task_id: id, actor: BY.name, patch: [{ id, put }, asked] };
    const events = tick.act({ events: [event], result: undefined });
    tick.want({ do: 'add-task', task: id, about: task.id, reason: WHY, events });
    return true;
  }
  if (there.status !== 'open' && there.status !== 'done' && there.status !== 'failed') return false;
  const reason = `${task.id} has another low score`;
  const opened = reopenTask(tick.graph, id, { now: tick.now, by: BY, reason }).events;
  const event: EventDraft = { op: 'await_verification', task_id: task.id, actor: BY.name, patch: [asked] };
  keep(tick, task.id, WHY, { events: [event, ...opened], result: undefined });
  const missing = comesAfter(tick, task).filter((before) => there.after?.includes(before) !== true);
  if (missing.length > 0) keep(tick, task.id, WHY, editTask(tick.graph, id, { add_after: missing }, { by: BY }));
  return true;
}

/** The evaluation has the first word. */
function comesAfter({ graph }: AgencyTick, task: Task): string[] {
  const evaluation = graph.task(`evaluate-${task.id}`);
  return evaluation?.tags?.includes('evaluation') ? [task.id, evaluation.id] : [task.id];
}
