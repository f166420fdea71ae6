import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';

/** All limits. Sizes are in bytes unless the name says characters; times in milliseconds. */
export const LIMITS = { ...WORK_LIMITS, ...SURFACE_LIMITS, ...TEAM_LIMITS } as const;
