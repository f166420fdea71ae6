export const RUNGS = ['clarify', 're-tier', 're-role', 're-plan', 'user'] as const;
/** A step of the ladder; each at most once a stumble. */
export type Rung = (typeof RUNGS)[number];
