import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

const WORDS = { tree: 'worktree removed', 'tree-and-branch': 'removed', nothing: 'kept' } as const;
const FORCE_HELPS = new Set(['uncommitted', 'unmerged']);

/** What became of each attempt; what was forced says how to get it back. */
export const render: Renderer<'worktree.remove'> = ({ task, attempts }, screen) => {
  const { colour } = screen;
  for (const { attempt, removed, why, saved_as } of attempts) {
    const word = removed === 'nothing' ? colour.yellow(WORDS[removed]) : WORDS[removed];
    screen.line(`${inert(task)}, attempt ${attempt}: ${word}, ${inert(why)}`);
    if (saved_as !== undefined) {
      screen.aside(
        `${colour.yellow('warning:')} its unmerged work is in no branch now. Get it back: ${colour.cyan(`git branch NAME ${inert(saved_as)}`)}`,
      );
    }
  }
  const kept = attempts.find(({ reason }) => reason !== undefined && FORCE_HELPS.has(reason));
  if (kept) {
    screen.aside(
      `Look at it with \`troupe worktree show ${inert(task)} --attempt ${kept.attempt}\`; --force removes it, and keeps its work under refs/wg/removed.`,
    );
  }
};
