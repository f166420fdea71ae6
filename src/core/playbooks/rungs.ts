export const RUNGS = ['clarify', 're-tier', 're-role', 're-plan', 'user'] as const;
/** A step of the ladder, used at most once in a stumble. */
export type Rung = (typeof RUNGS)[number];
