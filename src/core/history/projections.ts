/** Kept things that follow from the log or from files of their own, and can be made again from these. */
export const PROJECTIONS = ['graph', 'team', 'memory', 'roles', 'messages'] as const;
export type Projection = (typeof PROJECTIONS)[number];
