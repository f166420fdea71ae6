export const ISOLATIONS = ['auto', 'on', 'off'] as const;
export type Isolation = (typeof ISOLATIONS)[number];

export interface IsolationFacts {
  readonly isolation: Isolation;
  readonly repository: 'none' | 'bare' | 'empty' | 'work-tree';
  /** Permission profile of the run. */
  readonly mode: 'full' | 'light' | 'bare' | 'shell';
  /** It follows merged work and is not forced to run in the project. */
  readonly follows: boolean;
}

/** Working place of an attempt; `nowhere` if a worktree is required but impossible. */
export type Workplace =
  | { readonly place: 'worktree' }
  | { readonly place: 'project' }
  | { readonly place: 'nowhere'; readonly code: 'not_a_repository' | 'bare_repository' | 'empty_repository' };

const MISSING = { none: 'not_a_repository', bare: 'bare_repository', empty: 'empty_repository' } as const;

/**
 * `auto`: a worktree for clients that may edit anything, and for tasks that follow merged work, if there is a commit to
 * start from; all others work in the project itself. `on`: requires a worktree for all clients; a run that cannot have
 * one does not start.
 */
export function workplace({ isolation, repository, mode, follows }: IsolationFacts): Workplace {
  if (isolation === 'off') return { place: 'project' };
  if (isolation === 'auto' || mode === 'shell')
    return { place: repository === 'work-tree' && (mode === 'full' || follows) ? 'worktree' : 'project' };
  return repository === 'work-tree' ? { place: 'worktree' } : { place: 'nowhere', code: MISSING[repository] };
}
