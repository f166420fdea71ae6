import { BRANCH_TEMPLATE, templateFault } from '#core/worktrees/branch-template.js';
import { USED_TEMPLATES } from '#core/worktrees/branches.js';
import type { Refs } from './refs.js';

/** Templates by which attempts are found, the one in force first. What a ref says is believed only as far as a setting would be. */
export async function templatesIn(refs: Refs, current: string): Promise<readonly string[]> {
  const used = (await refs.below(USED_TEMPLATES)).map(({ ref }) => ref.slice(USED_TEMPLATES.length));
  return [...new Set([current, BRANCH_TEMPLATE, ...used.filter((template) => templateFault(template) === undefined)])];
}

/** Remembers the template in force, before the first branch is made under it. A ref needs a commit: any will do. */
export async function keepTemplate(
  refs: Refs,
  [current = BRANCH_TEMPLATE]: readonly string[],
  commit: string,
): Promise<void> {
  const ref = `${USED_TEMPLATES}${current}`;
  if (current !== BRANCH_TEMPLATE && (await refs.commit(ref)) === undefined) await refs.move(ref, commit, undefined);
}
