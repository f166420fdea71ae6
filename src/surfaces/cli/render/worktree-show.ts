import { cut, inert, plural } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';
import { printChanges } from '../worktree-landing.js';

const UNTRACKED_SHOWN = 10;

/** Where the attempt lies, what it changed, and what git does not know yet. */
export const render: Renderer<'worktree.show'> = (shown, screen) => {
  const { colour } = screen;
  const others = shown.attempts.filter((attempt) => attempt !== shown.attempt);
  const also = others.length === 0 ? '' : colour.dim(`  (also: ${others.join(', ')})`);
  screen.line(`${colour.bold(inert(shown.task))}  attempt ${shown.attempt}${also}`);
  screen.line(`  ${inert(shown.branch)}, ${plural(shown.ahead, 'commit')} since ${shown.base.slice(0, 10)}`);
  if (shown.path !== undefined) screen.line(`  ${inert(shown.path)}`);
  screen.line();
  if (shown.changes.total === 0 && shown.untracked_total === 0) {
    screen.line('Nothing is changed in it.');
    return;
  }
  if (shown.changes.total > 0) printChanges(shown.changes, screen);
  for (const file of shown.untracked.slice(0, UNTRACKED_SHOWN))
    screen.line(`  ${cut(inert(file), 80)}  ${colour.dim('new')}`);
  const more = shown.untracked_total - Math.min(UNTRACKED_SHOWN, shown.untracked.length);
  if (more > 0) screen.line(colour.dim(`  and ${more} more new ones`));
  if (!shown.clean) screen.aside('Some of it is not committed yet.');
};
