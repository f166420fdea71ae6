import { inert } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';
import { paintState, shownState, stateMark } from '../status-mark.js';

/** What a move set off elsewhere, in the words of a person who wonders. */
const CONSEQUENCES: Readonly<Record<string, (id: string) => string>> = {
  cycle_iterate: (id) => `the cycle of ${id} goes round again`,
  cycle_restart: (id) => `the cycle of ${id} begins its pass again, because a member failed`,
  cycle_end: (id) => `the cycle of ${id} is over`,
  wake: (id) => `${id} goes on: what it waited for is there`,
};

/** What a command did to one task, in one line; warnings go beside it. */
export function render(
  output: AnswerOf<
    | 'task.add'
    | 'task.edit'
    | 'task.claim'
    | 'task.unclaim'
    | 'task.done'
    | 'task.fail'
    | 'task.abandon'
    | 'task.retry'
    | 'task.approve'
    | 'task.reject'
    | 'task.block'
    | 'task.reopen'
    | 'task.pause'
    | 'task.resume'
    | 'task.publish'
    | 'task.wait'
    | 'task.reclaim'
    | 'task.reschedule'
    | 'task.add-dep'
    | 'task.rm-dep'
    | 'task.exec'
  >,
  screen: Screen,
): void {
  const state = shownState(output.status ?? 'open', false);
  const what = output.title === undefined ? '' : `  ${inert(output.title)}`;
  const word = output.fence === undefined ? undefined : 'claimed'; // by a person: nothing runs
  const same = output.changed === false ? screen.colour.dim('  (it was so already)') : '';
  screen.line(`${paintState(stateMark(state, screen, word), state, screen)}  ${inert(output.id)}${what}${same}`);
  for (const { op, task_id } of output.events ?? []) {
    const said = task_id === undefined || task_id === output.id ? undefined : CONSEQUENCES[op]?.(task_id);
    const own = op.startsWith('cycle_') && task_id === output.id ? CONSEQUENCES[op]?.(output.id) : said;
    if (own) screen.line(screen.colour.dim(`↺  ${inert(own)}`));
  }
  if (output.output) screen.line(inert(output.output.trimEnd(), true));
  if (output.note) screen.aside(screen.colour.dim(inert(output.note)));
  for (const warning of output.warnings ?? []) screen.aside(`${screen.colour.yellow('warning:')} ${inert(warning)}`);
}
