export const ISOLATIONS = ['auto', 'on', 'off'] as const;
export type Isolation = (typeof ISOLATIONS)[number];

export interface IsolationFacts {
  readonly isolation: Isolation;
  readonly repository: 'none' | 'bare' | 'empty' | 'work-tree';
  /** How much the run may do. */
  readonly mode: 'full' | 'light' | 'bare' | 'shell';
  /** It comes after work that was merged, and nobody wants it to run in the project all the same. */
  readonly follows: boolean;
}

/** Where an attempt works; `nowhere` when a worktree was demanded and there can be none. */
export type Workplace =
  | { readonly place: 'worktree' }
  | { readonly place: 'project' }
  | { readonly place: 'nowhere'; readonly code: 'not_a_repository' | 'bare_repository' | 'empty_repository' };

const MISSING = { none: 'not_a_repository', bare: 'bare_repository', empty: 'empty_repository' } as const;

/**
 * `auto`: a worktree for clients that may edit anything and for whatever follows merged work, where there is a commit to start
 * from; everybody else works in the project itself. `on` demands one for all clients, so a run that cannot have one does not
 * start.
 */
export function workplace({ isolation, repository, mode, follows }: IsolationFacts): Workplace {
  if (isolation === 'off') return { place: 'project' };
  if (isolation === 'auto' || mode === 'shell')
    return { place: repository === 'work-tree' && (mode === 'full' || follows) ? 'worktree' : 'project' };
  return repository === 'work-tree' ? { place: 'worktree' } : { place: 'nowhere', code: MISSING[repository] };
}
