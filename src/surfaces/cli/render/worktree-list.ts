import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';
import { printTable } from '../table.js';
import { sayToLand } from '../worktree-landing.js';

/** A row an attempt, with why it is still there. */
export const render: Renderer<'worktree.list'> = ({ worktrees, waiting }, screen) => {
  const { colour } = screen;
  if (worktrees.length === 0) screen.line('No worktrees. Runs that may edit files get one each, in a git repository.');
  else {
    printTable(screen, worktrees, [
      { title: 'TASK', text: (row) => inert(row.task) },
      { title: 'ATTEMPT', text: (row) => String(row.attempt), right: true },
      { title: 'COMMITS', text: (row) => (row.ahead === 0 ? '' : `+${row.ahead}`), right: true },
      { title: 'FILES', text: (row) => (row.dirty === 0 ? '' : `${row.dirty} open`), right: true },
      {
        title: 'KEPT BECAUSE',
        text: (row) =>
          `${row.removable ? 'may go: ' : ''}${inert(row.why)}${row.path === undefined ? ' (branch only)' : ''}`,
        paint: (text, row) => (row.removable ? colour.dim(text) : text),
        flexible: true,
      },
    ]);
  }
  const removable = worktrees.find((row) => row.removable);
  if (removable) screen.aside(`Next: ${colour.cyan(`troupe worktree remove ${inert(removable.task)}`)}`);
  if (waiting > 0) screen.aside(sayToLand(waiting));
};
