import type { EventDraft, Plan } from '#core/graph/event.js';
import { type MoveOptions, move } from '#core/graph/lib/move.js';
import { isTask, type Status, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { slugOf } from '#kernel/slug.js';

const OVER: readonly Status[] = ['done', 'failed', 'abandoned'];

/** Whether a task is assigned to the member of this name, ignoring spelling variants. */
export function isForMember({ member }: Pick<Task, 'member'>, name: string): boolean {
  return member !== undefined && slugOf(member) === slugOf(name);
}

/** A member that left, and its replacement if there is one. */
export interface FormerMember {
  readonly name: string;
  readonly next?: string | undefined;
}

/**
 * Unassigns former members from all tasks that are not terminal, or assigns `next` instead. A running attempt
 * continues.
 */
export function reassignTasks(
  view: GraphView,
  leavers: readonly FormerMember[],
  options: MoveOptions,
): Plan<{ readonly tasks: readonly string[] }> {
  const events: EventDraft[] = [];
  const tasks: string[] = [];
  const leaving = new Map(leavers.map((leaver) => [leaver.name.toLowerCase(), leaver]));
  if (leaving.size === 0) return { events, result: { tasks } };
  for (const node of view.nodes()) {
    if (!isTask(node) || node.member === undefined || OVER.includes(node.status)) continue;
    const leaver = leaving.get(node.member.toLowerCase());
    if (leaver === undefined) continue;
    const { name, next } = leaver;
    const [set, unset] = next === undefined ? [{}, ['member']] : [{ member: next }, []];
    const message = next === undefined ? `${name} left the team` : `${name} is called ${next} now`;
    events.push(move(node, 'edit', options, set, unset, message));
    tasks.push(node.id);
  }
  return { events, result: { tasks: tasks.sort() } };
}
