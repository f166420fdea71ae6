import type { KnownAttempt } from '#operations/runs/prompt-of.js';

/** An ordinary attempt by an ordinary client, in a folder without a repository. */
export const PLAIN_ATTEMPT: KnownAttempt = {
  number: 1,
  execution: { executor: 'claude', mode: 'full', scope: 'task', model: undefined, provider: undefined },
  tree: 'none',
  lacks: [],
  mayAdd: true,
  ways: { report: { by: 'commands' }, commits: 'shell' },
  rules: [['CLAUDE.md', 'AGENTS.md']],
};
