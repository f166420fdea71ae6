import type { RunFolders } from '#ports/run-folders.js';

/** Run folders of a project without runs. */
export const NO_RUNS: RunFolders = {
  part: async () => undefined,
  prompt: async () => undefined,
  identity: async () => undefined,
  keepRefused: async () => undefined,
  session: async () => undefined,
  state: async () => 'gone',
  listed: async () => [],
  atWork: async () => [],
  places: async () => [],
  named: () => undefined,
  ended: async () => undefined,
  tidy: async () => undefined,
  end: async () => false,
};
