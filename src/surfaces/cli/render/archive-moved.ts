import { plural } from '#kernel/text.js';
import type { Screen } from '../screen.js';
import { type MovedOut, printKept } from './kept-rows.js';

const NOTHING: Readonly<Record<MovedOut['action'], string>> = {
  moved: 'Nothing to archive: only done and abandoned tasks go that nothing active counts on.',
  preview: 'Nothing would be done.',
  listed: 'Nothing there. Archive what is over with `troupe archive`.',
  restored: 'Nothing is archived that could come back.',
};

const NEXT: Readonly<Record<MovedOut['action'], (count: string) => string>> = {
  moved: (count) => `${count} archived. Bring them back with \`troupe archive --undo\`.`,
  preview: (count) => `${count}. Nothing was changed: leave out --dry-run to do it.`,
  listed: (count) => `${count}. Bring one back with \`troupe archive restore ID\`.`,
  restored: (count) => `${count} back in the graph.`,
};

/** What `archive`, `archive search` and `archive restore` did or found. */
export function render(output: MovedOut, screen: Screen): void {
  if (output.tasks.length === 0) {
    screen.line(NOTHING[output.action]);
    return;
  }
  printKept(output.tasks, screen);
  const { length } = output.tasks;
  const count = length < output.total ? `${length} of ${plural(output.total, 'task')}` : plural(length, 'task');
  screen.line(screen.colour.dim(NEXT[output.action](count)));
}
