import { expect, test } from 'vitest';
import type { Task } from '#core/graph/task.js';
import type { IsolationFacts } from '#core/runs/isolation.js';
import { settingsFrom } from '#core/settings/settings.js';
import { attemptTree } from '#operations/runs/workplaces.js';
import { place } from '../../adapters/worktrees/place.js';
import { bothPorts } from '../../both-ports.js';
import { world } from '../../e2e/world.js';
import { NO_RUNS } from '../../no-runs.js';

test('a client goes on in the worktree of the attempt before, a command gets one of its own', async () => {
  const { context } = world();
  const { worktrees } = place();
  const before = await worktrees.create({ task: 'a', attempt: 1 });
  const runs = {
    ...NO_RUNS,
    identity: async () => ({
      taskId: 'a',
      fence: 1,
      mail: 'none' as const,
      tree: { branch: before.branch, folder: before.path },
    }),
  };
  const last_run = { run: 'agent-1', iteration: 0, goes_on: 1 };
  const task = { kind: 'task', id: 'a', title: 'a', status: 'open', fence: 1, last_run } as unknown as Task;
  const attempt = async (mode: IsolationFacts['mode']) =>
    await attemptTree(
      { ...context, runs: async () => runs, ...bothPorts(async () => worktrees) },
      task,
      { attempt: 2, mode, follows: true },
      settingsFrom({}).settings,
    );
  expect(await attempt('full')).toMatchObject({ attempt: 1, mode: 'full' });
  expect(await attempt('shell')).toMatchObject({ attempt: 2, mode: 'shell' });
});
