import { isTerminal, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { CAST_TEAM } from '#core/squad/team-rows.js';
import { plural } from '#kernel/text.js';
import type { Context } from './operation.js';

/** Reason why teams and messages cannot be used, and the command that repairs or explains it. */
export interface TeamsTrouble {
  readonly text: string;
  readonly command: string;
  readonly repairable: boolean;
}

/**
 * Fault of the store of teams and messages: of its file, or teams of unfinished tasks that it does not contain.
 * Undefined if there is none.
 */
export async function teamsProblem(
  context: Pick<Context, 'teams'>,
  view: GraphView,
  { thoroughly }: { readonly thoroughly: boolean },
): Promise<TeamsTrouble | undefined> {
  const teams = await context.teams();
  const fault = await teams.fault(thoroughly);
  if (fault) {
    const repairable = fault.copy !== null;
    const from = repairable ? ` There is a copy of ${fault.copy}.` : '';
    return {
      text: `${fault.text}${from}`,
      command: repairable ? 'troupe doctor --repair' : 'troupe doctor',
      repairable,
    };
  }
  const named = new Map<string, Task>();
  for (const outline of view.outlines()) {
    if (isTerminal(outline.status) || !outline.mayHave('team')) continue;
    const task = view.task(outline.id);
    if (task?.team !== undefined && task.team !== CAST_TEAM) named.set(task.team, task);
  }
  if (named.size === 0) return undefined;
  for (const { id } of await teams.labels()) named.delete(id);
  const [first] = named.values();
  if (first === undefined) return undefined;
  const text = `teams.db has nothing of ${plural(named.size, 'team')} whose tasks are unfinished, such as ${first.id}: it was removed, or is on another machine.`;
  return { text, command: 'troupe doctor', repairable: false };
}
