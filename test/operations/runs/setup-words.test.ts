import { expect } from 'vitest';
import { guardedFingerprint, settingsFrom } from '#core/settings/settings.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { setUp } from '#operations/runs/worktree-setup.js';
import { world } from '../../e2e/world.js';
import { verifies } from '../../verifies.js';

const TREE = { path: '/t/top', folder: '/t/top/project', branch: 'wg/a/2', attempt: 2, mode: 'full' } as const;

/** What is run, within which words, and what is said where it ends otherwise than well. */
async function ended(outcome: object, worktree: object = { setup: 'make ready', setup_timeout: '3s' }) {
  const asked: unknown[] = [];
  const { context } = world();
  const file = { worktree };
  const settings = guardedFingerprint(settingsFrom(file).settings);
  const parts = {
    ...{ ...context, projectFolder: '/project' },
    settings: async () => ({ name: 'config.toml', read: async () => file, set: async () => expect.unreachable() }),
    trust: async () => ({
      ...(await context.trust()),
      read: async () => ({ at: '', commands: 0, sha256: '', settings }),
    }),
    sandbox: async () => ({
      words: async (of: object) => {
        asked.push(of);
        return ['sandbox', '--'];
      },
    }),
    programs: async () => ({
      command: async (command: string, { signal: _, ...options }: { signal: AbortSignal }) => {
        asked.push([command, options]);
        return outcome;
      },
    }),
    trees: async () => ({ markSetUp: async (of: object) => void asked.push(of) }),
  };
  const signal = new AbortController().signal;
  const said = await setUp(parts as never, { task: 'a', tree: TREE }, signal).catch(({ code, message, why }) => [
    ...[code, message, why],
  ]);
  return { said, asked };
}

verifies(
  'tree.setup',
  'a setup is run in the sandbox of its task, told where it is, and marked as done when it was',
  async () => {
    expect(await ended({ code: 0, end: 'exited', output: 'fine' })).toEqual({
      said: undefined,
      asked: [
        {
          ...{ folder: '/project/.workgraph/service/setup', door: '/project/.workgraph/service/setup-door' },
          ...{ executor: undefined, tree: TREE, review: undefined },
        },
        [
          'make ready',
          {
            ...{ timeMs: 3_000, folder: '/t/top/project', within: ['sandbox', '--'] },
            variables: { WG_PROJECT_ROOT: '/project', WG_WORKTREE_PATH: '/t/top', WG_BRANCH: 'wg/a/2' },
          },
        ],
        { task: 'a', attempt: 2 },
      ],
    });
    expect(await ended({ code: 0, end: 'exited', output: '' }, {})).toEqual({ said: undefined, asked: [] });
  },
);

verifies('tree.setup', 'one that did not end well says how it ended, and the end of what it printed', async () => {
  const most = WORK_LIMITS.setupOutputCharacters;
  const said = async (outcome: object) => (await ended(outcome)).said;
  const what = (how: string) => `worktree.setup (make ready) ${how}.`;
  expect([
    await said({ code: 3, end: 'exited', output: ` ${'x'.repeat(most)}end\n` }),
    await said({ code: null, end: 'exited', output: ' \n' }),
    await said({ code: null, end: 'timed-out', output: 'slow' }),
    await said({ code: null, end: 'stopped', output: '' }),
    await said({ code: null, end: 'missing', output: '' }),
    await said({ code: null, end: 'not-started', output: '' }),
  ]).toEqual([
    ['setup_failed', what('failed with status 3'), `${'x'.repeat(most - 3)}end`],
    ['setup_failed', what('failed with status unknown'), undefined],
    ['setup_failed', what('took longer than worktree.setup_timeout'), 'slow'],
    ['setup_failed', what('was stopped'), undefined],
    ['setup_failed', what('could not be started'), undefined],
    ['setup_failed', what('could not be started'), undefined],
  ]);
});
