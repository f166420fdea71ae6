import { because, type Moved, type MoveOptions, move, moved, personsOnly, wrongStatus } from '#core/graph/lib/move.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import type { Plan } from './event.js';
import { taskOf } from './task-of.js';
import type { GraphView } from './view.js';

/** Transfers a claim from one holder to another; the fence rises, which invalidates the old holder's writes. */
export function reclaimTask(
  view: GraphView,
  id: string,
  options: MoveOptions & { readonly from: string; readonly to: string },
): Plan<Moved & { fence: number }> {
  personsOnly(options.by, 'hand a claim over');
  const task = taskOf(view, id);
  if (task.status !== 'in-progress' && task.status !== 'waiting') throw wrongStatus(task, 'handed over');
  if (task.assigned !== options.from) {
    throw new TroupeError('wrong_status', {
      what: `${id} is held by ${task.assigned ?? 'nobody'}, not by ${options.from}.`,
      details: { id, assigned: task.assigned ?? null },
    });
  }
  const fence = (task.fence ?? 0) + 1;
  const set = { assigned: options.to, started_at: timestamp(options.now), fence };
  const event = move(
    task,
    'reclaim',
    options,
    set,
    [],
    `Handed over from ${options.from} to ${options.to}${because(options)}`,
  );
  return { events: [event], result: { ...moved(id, task.status), fence } };
}

/** Replaces the earliest start time; removes the delay and any pause after a run. `at` in milliseconds. */
export function rescheduleTask(
  view: GraphView,
  id: string,
  options: MoveOptions & { readonly at: number },
): Plan<Moved> {
  personsOnly(options.by, 'reschedule a task');
  const task = taskOf(view, id);
  const time = timestamp(options.at);
  // A time that has come is no bound: a later leader, whose clock may be behind, would wait for it.
  const isNow = options.at <= options.now;
  const event = move(
    task,
    'reschedule',
    options,
    isNow ? {} : { not_before: time },
    ['delay', 'ready_after', ...(isNow ? ['not_before'] : [])],
    `${isNow ? 'May start at once' : `Not before ${time}`}${because(options)}`,
  );
  return { events: [event], result: moved(id, task.status) };
}
