// Kept in a separate file because everyday commands load it without the rest of the worktree code.
/**
 * File name prefixes in the git folder of a worktree, followed by `-` and the name of another checkout's git folder:
 * actions of the run on that checkout.
 */
export const OUTSIDE_MARKS = { refused: 'troupe-refused', switched: 'troupe-switched' } as const;
