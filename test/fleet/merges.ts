import { git } from '../repository.js';

export const INTEGRATION = 'wg/integration';

/** Whether the merge that brought a commit was a merge of accepted work that began with it. */
export function wasContinued(hub: string, commit: string, accepted: readonly string[]): boolean {
  const merge = broughtBy(hub, commit);
  const continuing = new Set(git(hub, 'rev-list', '--ancestry-path', `${commit}..${merge}`).trim().split('\n'));
  return accepted.some((other) => continuing.has(other) && !contains(hub, `${merge}^1`, other));
}

export function contains(hub: string, later: string, earlier: string): boolean {
  try {
    git(hub, 'merge-base', '--is-ancestor', earlier, later);
    return true;
  } catch {
    return false; // also if a commit is unknown there
  }
}

/** The first state of the integration branch that contains a commit. */
function broughtBy(hub: string, commit: string): string {
  // Together, the two options omit the merge itself: the parent by which the commit came is not a first one.
  const listed = (option: string) => git(hub, 'rev-list', option, `${commit}..${INTEGRATION}`).trim().split('\n');
  const descendants = new Set(listed('--ancestry-path'));
  return listed('--first-parent').findLast((state) => descendants.has(state)) ?? '';
}
