import path from 'node:path';
import type { RunDoors } from '#ports/run-doors.js';
import type { Sandbox } from '#ports/sandbox.js';

/** Runs go where they please. */
export const NO_SANDBOX: Sandbox = {
  standing: async () => ({ state: 'off', by: 'none', why: 'This test has none.' }),
  words: async () => [],
};

/** Nobody listens. */
export function noDoors(agentsFolder: string): RunDoors {
  return {
    place: (run) => path.join(agentsFolder, run, 'service'),
    open: async () => undefined,
    close: async () => undefined,
  };
}
