import type { EventDraft, Plan } from '#core/graph/event.js';
import { because, type Moved, type MoveOptions, move, moved, nothing } from '#core/graph/lib/move.js';
import { checkFence } from '#core/graph/moves.js';
import { isTerminal, type Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { wake } from '#core/graph/wait.js';
import { TroupeError } from '#kernel/errors.js';
import { byId } from '#kernel/order.js';
import { isProposed, refuseGated } from './formation-gate.js';

/** Pauses a task in any status: nothing new starts on it, running work may finish. */
export function pauseTask(view: GraphView, id: string, options: MoveOptions): Plan<Moved> {
  const task = taskOf(view, id);
  checkFence(view, task, options.by);
  if (task.paused === true) return nothing(task);
  const event = move(task, 'pause', options, { paused: true }, [], `Paused${because(options)}`);
  return { events: [event], result: moved(id, task.status) };
}

/** Resumes the task and all its dependents; a waiting task continues. */
export function resumeTask(
  view: GraphView,
  id: string,
  options: MoveOptions & { readonly only?: boolean | undefined },
): Plan<Moved & { readonly resumed: readonly string[] }> {
  const task = taskOf(view, id);
  checkFence(view, task, options.by);
  if (isProposed(task)) refuseGated(task);
  const paused = [task, ...(options.only ? [] : downstream(view, id))].filter(
    (other) => other.paused === true && !isProposed(other),
  );
  const woken = task.status === 'waiting' ? [task] : [];
  const events: EventDraft[] = [
    ...paused.map((other) => move(other, 'resume', options, {}, ['paused'], `Resumed${because(options)}`)),
    ...woken.map((other) => wake(other, `${options.by.name} resumed it`, options)),
  ];
  if (events.length === 0) {
    throw new TroupeError('nothing_to_resume', {
      what: `${id} is neither paused nor waiting${options.only ? '' : ', and no dependent is paused'}.`,
      details: { id, status: task.status },
    });
  }
  const resumed = [...new Set([...paused, ...woken].map((other) => other.id))].sort();
  const status = task.status !== 'waiting' ? task.status : task.assigned === undefined ? 'open' : 'in-progress';
  return { events, result: { ...moved(id, status), resumed } };
}

/** Turns a draft into work: like `resume`, but refuses tasks that could never start or depend on unknown tasks. */
export function publishTask(
  view: GraphView,
  id: string,
  options: MoveOptions & { readonly only?: boolean | undefined },
): Plan<Moved & { readonly resumed: readonly string[] }> {
  const plan = resumeTask(view, id, options);
  for (const published of plan.result.resumed) {
    const task = taskOf(view, published);
    const dangling = (task.after ?? []).filter((before) => !view.wasUsed(before));
    if (dangling.length > 0) {
      throw new TroupeError('unknown_task', {
        what: `${published} depends on unknown tasks: ${dangling.join(', ')}.`,
        hint: `Run \`troupe edit ${published} --remove-after ${dangling[0] ?? ''}\`, or add that task.`,
        details: { id: published, ids: dangling },
      });
    }
    const deadlock = view.cyclesOf(published).find((cycle) => !cycle.configured);
    if (deadlock) {
      throw new TroupeError('deadlock', {
        what: `${deadlock.members.join(', ')} depend on one another: none of them could ever start.`,
        hint: `Limit the cycle: \`troupe edit ${deadlock.header} --max-iterations 3\`. Or remove a dependency.`,
        details: { id: published, members: [...deadlock.members] },
      });
    }
  }
  return {
    events: plan.events.map((event) => (event.op === 'resume' ? { ...event, op: 'publish' } : event)),
    result: plan.result,
  };
}

/** All direct and indirect dependents, without the task itself even if it lies on a cycle. */
function downstream(view: GraphView, id: string): Task[] {
  const visited = new Set([id]);
  const tasks: Task[] = [];
  const pending = [...view.dependents(id)];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (visited.has(next)) continue;
    visited.add(next);
    const task = view.task(next);
    if (!task) continue;
    if (!isTerminal(task.status)) tasks.push(task);
    pending.push(...view.dependents(next));
  }
  return tasks.sort(byId);
}
