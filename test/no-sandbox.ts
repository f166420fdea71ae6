import path from 'node:path';
import { expect } from 'vitest';
import type { PlanPlacerOptions } from '#adapters/runs/plan-placer.js';
import type { RunDoors } from '#ports/run-doors.js';
import type { Sandbox } from '#ports/sandbox.js';

/** Runs are not confined. */
export const NO_SANDBOX: Sandbox = {
  standing: async () => ({ state: 'off', by: 'none', why: 'This test has none.' }),
  words: async () => [],
};

/** Doors that are never opened. */
export function noDoors(agentsFolder: string): RunDoors {
  return {
    of: 'sandboxed',
    place: (run) => path.join(agentsFolder, run, 'service'),
    open: async () => undefined,
    close: async () => undefined,
  };
}

/** For hosts of commands that run in the project folder: client plans are not completed, and worktrees are not used. */
export const NO_CLIENT_RUNS: Pick<PlanPlacerOptions, 'completion' | 'trees'> = {
  completion: { complete: async () => expect.unreachable('no client runs here') },
  trees: async () => expect.unreachable('nothing works in a worktree here'),
};
