import { cut, inert, plural } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

const KIND_WIDTH = 'modified'.length;

/** What is not committed and the words that commit it; after a commit, its id. */
export const render: Renderer<'squad.sync'> = (synced, screen) => {
  const { colour } = screen;
  if (synced.nothing_to_sync) {
    screen.line('The team is committed: nothing in .squad differs from the last commit.');
    return;
  }
  for (const { path, kind } of synced.changes)
    screen.line(`  ${colour.dim(kind.padEnd(KIND_WIDTH))}  ${cut(inert(path), 120)}`);
  if (synced.diff !== undefined) {
    screen.line();
    for (const line of synced.diff.split('\n')) screen.line(inert(line));
    if (synced.diff_cut) screen.aside('The rest is not shown: `git diff HEAD -- .squad` shows it all.');
  }
  screen.line();
  if (synced.commit_id !== undefined) {
    screen.line(`Committed ${plural(synced.changes.length, 'file')} of the team as ${synced.commit_id.slice(0, 10)}.`);
    return;
  }
  screen.line(`Commit just this: troupe squad sync --commit --expect ${synced.change_set_hash}`);
};
