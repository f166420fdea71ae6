import { inert } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';

/** `commit`: the commit there is now, and what was not taken into it. */
export function render({ id, committed, commit, left_out: leftOut }: AnswerOf<'task.commit'>, screen: Screen): void {
  const what = committed ? 'committed' : 'nothing to commit, it stands at';
  screen.line(`${inert(id)}: ${what} ${inert(commit.slice(0, 12))}`);
  for (const name of leftOut) screen.line(`  left out, a repository of its own: ${inert(name)}`);
}
