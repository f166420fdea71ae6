import { plural } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';
import { printKept } from './kept-rows.js';

/** What `gc` removed, would remove, or removed before. */
export function render(output: AnswerOf<'gc.remove'>, screen: Screen): void {
  const { action, tasks } = output;
  if (tasks.length === 0) {
    const none = action === 'listed' ? 'Nothing was removed that could come back.' : 'Nothing to remove.';
    screen.line(action === 'moved' ? `${none} Done tasks go with --include-done.` : none);
    return;
  }
  printKept(tasks, screen);
  const count = plural(tasks.length, 'task');
  const said = {
    moved: `${count} removed. Bring one back with \`troupe archive restore ID\`.`,
    preview: `${count}. Nothing was changed: leave out --dry-run to do it.`,
    listed: `${count}. Bring one back with \`troupe archive restore ID\`.`,
    restored: `${count} back in the graph.`,
  }[action];
  screen.line(screen.colour.dim(said));
}
