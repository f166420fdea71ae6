import * as z from 'zod/mini';
import { assert, TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { didYouMean } from '#kernel/text.js';
import type { CompiledTask, CompiledWorkflow, Seats } from './compiled.js';

const step = z.string().check(z.minLength(1), z.maxLength(WORK_LIMITS.idCharacters));

/** Change of one step of a plan before it is started. */
export const planEditShape = z.strictObject({
  /** Node of the step, as in the preview. */
  step,
  title: z.optional(z.string().check(z.minLength(1), z.maxLength(WORK_LIMITS.titleCharacters))),
  /** Its new owner or reviewer: a member of the team. */
  member: z.optional(z.string().check(z.minLength(1), z.maxLength(WORK_LIMITS.idCharacters))),
  /** A person does or reviews it. */
  human: z.optional(z.literal(true)),
  /** The step that comes right after it. */
  before: z.optional(step),
  drop: z.optional(z.literal(true)),
});
export type PlanEdit = z.infer<typeof planEditShape>;

/**
 * The plan with a person's changes, in the order of the changes. A dropped or moved step leaves its predecessors to its
 * successors. Errors: `bad_input` for an unknown step or member, for a step that cannot be moved or dropped, and for a
 * reviewer of own work.
 */
export function editPlan<Compiled extends CompiledWorkflow>(
  compiled: Compiled,
  edits: readonly PlanEdit[],
  team: Seats,
): Compiled {
  let tasks = compiled.tasks;
  for (const edit of edits) tasks = edited(tasks, edit, team);
  refuseOwnReviews(tasks, ownReviews(compiled.tasks));
  const kept = new Set(tasks.map(({ id }) => id));
  return { ...compiled, tasks, steps: compiled.steps.filter(({ task_id: id }) => kept.has(id)) };
}

type Tasks = readonly CompiledTask[];

function edited(tasks: Tasks, { step, title, member, human, before, drop }: PlanEdit, team: Seats): Tasks {
  const task = taskAt(tasks, step);
  if (drop === true) {
    refuseFixed(tasks, task, 'dropped');
    const left = without(tasks, task).filter(({ id }) => id !== task.id);
    if (left.length === 0) throw refused('A plan needs a step: the last one cannot be dropped.');
    return withEnds(left);
  }
  const named = tasks.map((one) => (one.id === task.id ? reworded(one, { title, member, human }, team) : one));
  return before === undefined ? named : movedBefore(named, task.id, before);
}

function taskAt(tasks: Tasks, node: string): CompiledTask {
  const found = tasks.find(({ workflow }) => workflow.node === node);
  if (found !== undefined) return found;
  const near = didYouMean(
    node,
    tasks.map(({ workflow }) => workflow.node),
  );
  throw refused(`The plan has no step ${JSON.stringify(node)}.`, near && `Did you mean ${near}?`);
}

function reworded(
  task: CompiledTask,
  { title, member, human }: Pick<PlanEdit, 'title' | 'member' | 'human'>,
  team: Seats,
): CompiledTask {
  if (member !== undefined && human === true)
    throw refused(`${task.workflow.node} has one owner: a member or a person.`);
  const { member: _member, human: _human, skills: _skills, ...unowned } = task;
  const renamed = title === undefined ? {} : { title: title.replace(/\s+/g, ' ').trim() };
  if (renamed.title === '') throw refused(`${task.workflow.node} needs a title.`);
  if (member === undefined && human === undefined) return { ...task, ...renamed };
  if (human === true) {
    if (task.exec_mode === 'shell') throw refused(`${task.workflow.node} is a command: no person does it.`);
    return { ...unowned, ...renamed, human };
  }
  const seat = team.members.find(({ name, status }) => name === member && status === 'Active');
  if (seat === undefined) throw refused(`Nobody on the team is called ${JSON.stringify(member)}.`);
  return { ...unowned, ...renamed, member: seat.name };
}

/** Moves a step to directly before another one. */
function movedBefore(tasks: Tasks, id: string, node: string): Tasks {
  const task = required(tasks, id);
  const target = taskAt(tasks, node);
  if (target.id === id) throw refused(`${node} cannot come before itself.`);
  refuseFixed(tasks, task, 'moved');
  const left = without(tasks, task);
  const next = required(left, target.id);
  const loop = gatesOf(left, next);
  const after = (next.after ?? []).filter((one) => !loop.includes(one));
  const placed = withEdges(required(left, id), after, next.after_success ?? []);
  const rest = left.flatMap((one) => {
    if (one.id === id) return [];
    return one.id === next.id ? [placed, withEdges(next, [id, ...loop], [id])] : [one];
  });
  return withEnds(rest);
}

/** The plan in which nothing depends on a step: its successors depend on its predecessors. */
function without(tasks: Tasks, gone: CompiledTask): Tasks {
  const before = gone.after ?? [];
  const success = gone.after_success ?? [];
  return tasks.map((task) => {
    if (task.after?.includes(gone.id) !== true) return task;
    const others = task.after.filter((id) => id !== gone.id);
    if (gatesOf(tasks, task).includes(gone.id)) return withoutGate(task, others, gone.id);
    const kept = (task.after_success ?? []).filter((id) => id !== gone.id);
    const strict = task.after_success?.includes(gone.id) === true ? success : [];
    return withEdges(task, [...others, ...before], [...kept, ...strict]);
  });
}

/** The first step of a loop without one of its gates, and without repetitions if that was the only one. */
function withoutGate(task: CompiledTask, others: readonly string[], gate: string): CompiledTask {
  const { max_iterations: _most, cycle_guard: guard, max_failure_restarts: _restarts, ...once } = task;
  const open = guard !== undefined && !guard.includes(`task:${gate}=`);
  return withEdges(open ? task : once, others, task.after_success ?? []);
}

/** Steps that lead back to a step, at which its loop may begin again. */
function gatesOf(tasks: Tasks, header: CompiledTask): readonly string[] {
  if (header.max_iterations === undefined) return [];
  return (header.after ?? []).filter((id) => precursors(tasks, id).has(header.id));
}

/** A step and all steps before it, a loop's way back included. */
function precursors(tasks: Tasks, id: string, found = new Set<string>()): Set<string> {
  if (found.has(id)) return found;
  found.add(id);
  for (const before of tasks.find((task) => task.id === id)?.after ?? []) precursors(tasks, before, found);
  return found;
}

function withEdges(task: CompiledTask, after: readonly string[], success: readonly string[]): CompiledTask {
  const { after: _after, after_success: _success, ...rest } = task;
  const [all, strict] = [[...new Set(after)].sort(), [...new Set(success)].sort()];
  return {
    ...rest,
    ...(all.length === 0 ? {} : { after: all }),
    ...(strict.length === 0 ? {} : { after_success: strict }),
  };
}

/** The plan with the role `end` where nothing follows, and nowhere else. */
function withEnds(tasks: Tasks): Tasks {
  const followed = new Set(tasks.flatMap(({ after }) => after ?? []));
  return tasks.map((task) => {
    const { role, ...mark } = task.workflow;
    if (followed.has(task.id)) return role === 'end' ? { ...task, workflow: mark } : task;
    return role === undefined ? { ...task, workflow: { ...mark, role: 'end' } } : task;
  });
}

/** Refuses a change of what a plan stands on: the start of a loop, a merge, a gate of the project's review policy. */
function refuseFixed(tasks: Tasks, task: CompiledTask, verb: 'moved' | 'dropped'): void {
  const { node, role } = task.workflow;
  if (node.startsWith('policy-')) throw refused(`${node} is required by the project's review policy.`);
  if (role === 'merge') throw refused(`${node} merges the work: it cannot be ${verb}.`);
  if (verb === 'moved' && role === 'gate') throw refused(`${node} reviews what is before it: it cannot be moved.`);
  if (gatesOf(tasks, task).length > 0)
    throw refused(`${node} begins a loop: it cannot be ${verb}.`, 'Drop the review that leads back to it first.');
}

/** Pairs of a step and a later review by the same member. */
function ownReviews(tasks: Tasks): { readonly work: string; readonly gate: string; readonly member: string }[] {
  const byMembers = tasks.filter(({ member, exec_mode: mode }) => member !== undefined && mode !== 'shell');
  const isGate = ({ workflow }: CompiledTask) => workflow.role === 'gate';
  return byMembers.filter(isGate).flatMap(({ id, member = '', workflow: { node: gate } }) => {
    const before = precursors(tasks, id);
    return byMembers.flatMap((task) =>
      !isGate(task) && task.member === member && before.has(task.id)
        ? [{ work: task.workflow.node, gate, member }]
        : [],
    );
  });
}

/** Refuses a review of own work, except where the plan itself had it: then the gate reviews other steps. */
function refuseOwnReviews(tasks: Tasks, before: ReturnType<typeof ownReviews>): void {
  const own = ownReviews(tasks).find(
    ({ work, gate }) => !before.some((known) => known.work === work && known.gate === gate),
  );
  if (own === undefined) return;
  throw refused(
    `${own.member} would review own work: ${own.gate} judges ${own.work}.`,
    'Give one of the two to somebody else, or the review to a person.',
  );
}

function required(tasks: Tasks, id: string): CompiledTask {
  const task = tasks.find((one) => one.id === id);
  assert(task, 'a plan keeps its other steps');
  return task;
}

function refused(what: string, hint?: string): TroupeError {
  return new TroupeError('bad_input', { what, ...(hint === undefined ? {} : { hint }) });
}
