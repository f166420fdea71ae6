import type { EventDraft, Plan } from '#core/graph/event.js';
import { type MoveOptions, move } from '#core/graph/lib/move.js';
import { isTask, type Status } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';

const OVER: readonly Status[] = ['done', 'failed', 'abandoned'];

/** Takes the member off all tasks that are not over, or puts `next` in its place. An attempt under way goes on. */
export function passOnTasks(
  view: GraphView,
  member: string,
  next: string | undefined,
  options: MoveOptions,
): Plan<{ readonly tasks: readonly string[] }> {
  const events: EventDraft[] = [];
  const tasks: string[] = [];
  const wanted = member.toLowerCase();
  for (const node of view.nodes()) {
    if (!isTask(node) || OVER.includes(node.status) || node.member?.toLowerCase() !== wanted) continue;
    const [set, unset] = next === undefined ? [{}, ['member']] : [{ member: next }, []];
    const said = next === undefined ? `${member} left the team` : `${member} is called ${next} now`;
    events.push(move(node, 'edit', options, set, unset, said));
    tasks.push(node.id);
  }
  return { events, result: { tasks: tasks.sort() } };
}
