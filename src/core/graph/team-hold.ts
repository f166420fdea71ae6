import type { EventDraft, Plan } from '#core/graph/event.js';
import { because, type MoveOptions, move, personsOnly } from '#core/graph/lib/move.js';
import { isTask, isTerminal, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { byId } from '#kernel/order.js';
import { cut, inert } from '#kernel/text.js';

/** The tasks of a team in progress, by id, including internal ones. */
export function liveWork(view: GraphView, teamId: string): readonly Task[] {
  return unfinished(view, teamId).filter(({ status }) => status === 'in-progress');
}

/** Refuses to end a team while its members work. Errors: `team_busy` with the ids of their tasks. */
export function refuseBusy(view: GraphView, { id, name }: { readonly id: string; readonly name: string }): void {
  const ids = liveWork(view, id).map((task) => task.id);
  if (ids.length === 0) return;
  const named = cut(ids.join(', '), TEAM_LIMITS.promptNameBytes);
  throw new TroupeError('team_busy', { what: `${inert(name)} is running on ${named}.`, details: { ids } });
}

/**
 * Pauses all unfinished tasks of a team that has ended or is about to; they stay for reading or for another team.
 * `stop` also releases the claims: a run that still holds one is ended as superseded.
 */
export function holdWork(
  view: GraphView,
  teamId: string,
  { stop, ...options }: MoveOptions & { readonly stop: boolean },
): Plan<{ readonly paused: readonly string[]; readonly stopped: readonly string[] }> {
  if (stop) personsOnly(options.by, 'stop the work of a team');
  const tasks = unfinished(view, teamId);
  const stopped = stop ? tasks.filter(({ status }) => status === 'in-progress') : [];
  const paused = tasks.filter((task) => task.paused !== true);
  const events: EventDraft[] = [
    ...stopped.map((task) =>
      move(
        task,
        'unclaim',
        options,
        { status: 'open', paused: true },
        ['assigned', 'started_at'],
        `Released${because(options)}`,
      ),
    ),
    ...paused
      .filter((task) => !stopped.includes(task))
      .map((task) => move(task, 'pause', options, { paused: true }, [], `Paused${because(options)}`)),
  ];
  const ids = (list: readonly Task[]) => list.map(({ id }) => id);
  return { events, result: { paused: ids(paused), stopped: ids(stopped) } };
}

function unfinished(view: GraphView, teamId: string): readonly Task[] {
  const tasks: Task[] = [];
  for (const node of view.nodes())
    if (isTask(node) && node.team === teamId && !isTerminal(node.status)) tasks.push(node);
  return tasks.sort(byId);
}
