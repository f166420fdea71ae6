import { HEAD_FIELD } from '#core/worktrees/commit-messages.js';
import { LIMITS } from '#kernel/limits.js';
import type { Workbench } from './workshop.js';

/** Is the work of a commit in the integration branch: the commit itself, or one that took it over squashed? */
export async function isMergedInto(bench: Workbench, integrated: string, head: string): Promise<boolean> {
  return (await bench.refs.holds(integrated, head)) || (await wasSquashed(bench, integrated, head));
}

/**
 * Did a commit of the integration branch take this one over? Only the branch's own line is read: what attempts wrote into
 * their messages stands beside it.
 */
export async function wasSquashed({ git, refs, place }: Workbench, integrated: string, head: string): Promise<boolean> {
  const from = await refs.mergeBase(integrated, head);
  if (from === undefined) return false;
  const words = ['log', '--first-parent', '-z', `--max-count=${LIMITS.historyCommits}`, `--format=${HEAD_FIELD}`];
  const text = await git.output(place.top, [...words, `${from}..${integrated}`, '--']);
  return text.split('\0').some((field) => field.trim() === head);
}
