import type { Context } from '#operations/operation.js';

/** The ports for worktrees and integration of a context, both provided by the same object. */
export function bothPorts<Ports>(ports: () => Promise<Ports>) {
  return { trees: ports, integration: ports } as Pick<Context, 'trees' | 'integration'>;
}

/** Result of publishing, for tests that do not inspect it. */
export const PUBLISHED = {
  ...{ outcome: 'published', branch: 'wg/a/1', commit: 'w', committed: false, leftOut: [] },
} as const;
