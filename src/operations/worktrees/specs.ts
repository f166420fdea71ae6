import { type ArgumentSpec, type OptionSpec, operationSpecs } from '#operations/operation-spec.js';

const TASK = { field: 'task', summary: 'The task', names: 'task', required: true } as const satisfies ArgumentSpec;
const ATTEMPT = {
  flag: 'attempt',
  field: 'attempt',
  type: 'number',
  value: 'N',
  summary: 'The attempt',
} as const satisfies OptionSpec;

/** Specs of the worktree commands. */
export const WORKTREE_SPECS = operationSpecs([
  {
    name: 'task.commit',
    command: 'commit',
    group: 'Attempts',
    kind: 'write',
    forRuns: 'own',
    summary: 'Commit all changes in the worktree of an attempt',
    arguments: [{ field: 'id', summary: 'The task', names: 'task', required: true }],
    options: [
      { flag: 'message', short: 'm', field: 'message', type: 'text', value: 'TEXT', summary: 'The commit message' },
    ],
    examples: [
      'troupe commit write-the-parser -m "The parser reads empty input"',
      'troupe commit write-the-parser --message "Tests for empty input" --json',
    ],
    load: () => import('./commit.js').then((module) => module.commit),
  },
  {
    name: 'worktree.list',
    command: 'worktree list',
    group: 'Attempts',
    kind: 'read',
    summary: 'List the worktrees of attempts and why they are kept',
    examples: ['troupe worktree list', 'troupe worktree list --json'],
    load: () => import('./worktrees.js').then((module) => module.list),
  },
  {
    name: 'worktree.show',
    command: 'worktree show',
    group: 'Attempts',
    kind: 'read',
    summary: 'Show what an attempt at a task changed',
    arguments: [TASK],
    options: [
      { ...ATTEMPT, summary: 'The attempt (default: the latest)' },
      { flag: 'patch', field: 'patch', type: 'switch', summary: 'Include the diff' },
    ],
    examples: ['troupe worktree show write-the-parser --patch', 'troupe worktree show write-the-parser --attempt 2'],
    load: () => import('./worktrees.js').then((module) => module.show),
  },
  {
    name: 'worktree.remove',
    command: 'worktree remove',
    group: 'Attempts',
    kind: 'write',
    where: 'caller',
    summary: 'Remove the worktrees of a task if no work is lost',
    arguments: [TASK],
    options: [
      { ...ATTEMPT, summary: 'Only this attempt (default: all)' },
      {
        flag: 'force',
        field: 'force',
        type: 'switch',
        summary: 'Even with unmerged or uncommitted work; it stays in refs/wg/removed, ignored files are lost',
      },
    ],
    examples: [
      'troupe worktree remove write-the-parser',
      'troupe worktree remove write-the-parser --attempt 1 --force',
    ],
    load: () => import('./worktrees.js').then((module) => module.remove),
  },
]);

/** Shared by both parts of `troupe worktree land`. They are not in the table because HTTP has no confirmation. */
const BOTH = { command: 'worktree land', group: 'Attempts', where: 'caller' } as const;

export const LANDING = operationSpecs({
  ...BOTH,
  name: 'worktree.landing',
  kind: 'read',
  summary: 'Show the work that is ready to land',
  examples: [],
  load: () => import('./worktrees.js').then((module) => module.landing),
});

export const LAND = operationSpecs({
  ...BOTH,
  name: 'worktree.land',
  kind: 'write',
  summary: 'Land the merged work of wg/integration on your branch',
  examples: [],
  load: () => import('./worktrees.js').then((module) => module.land),
});
