// A file of its own: everyday commands that look at runs load it, and nothing else of worktrees.
/** In the private git folder of a worktree, each followed by `-` and the name of the git folder of another checkout: acts of the run on that. */
export const OUTSIDE_MARKS = { refused: 'troupe-refused', switched: 'troupe-switched' } as const;
