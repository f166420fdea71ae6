/** Stored data derived from the log or from other files, from which it can be rebuilt. */
export const PROJECTIONS = ['graph', 'team', 'memory', 'roles', 'messages'] as const;
export type Projection = (typeof PROJECTIONS)[number];
