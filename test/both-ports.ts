import type { Context } from '#operations/operation.js';

/** Worktrees and integration of a context, both answered by the same thing. */
export function bothPorts<Ports>(ports: () => Promise<Ports>) {
  return { trees: ports, integration: ports } as Pick<Context, 'trees' | 'integration'>;
}

/** Work that was handed over, where a test does not look at it. */
export const PUBLISHED = {
  ...{ outcome: 'published', branch: 'wg/a/1', commit: 'w', committed: false, leftOut: [] },
} as const;
