import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { LocalPrograms } from '#adapters/processes/local-programs.js';
import type { Task } from '#core/graph/task.js';
import { guardedFingerprint, settingsFrom } from '#core/settings/settings.js';
import { commandPlaces } from '#operations/runs/workplaces.js';
import type { TrustGrant } from '#ports/trust.js';
import { place } from '../../adapters/worktrees/place.js';
import { bothPorts } from '../../both-ports.js';
import { world } from '../../e2e/world.js';
import { verifies } from '../../verifies.js';

const TASK = { kind: 'task', id: 'a', title: 'a', status: 'open', exec: 'true' } as unknown as Task;

/** A project whose settings say how worktrees are prepared, on a machine that agreed to them or did not. */
function project(worktree: Record<string, unknown>, agreed = true) {
  const { folder, worktrees } = place();
  const file = { worktree };
  const settings = guardedFingerprint(settingsFrom(file).settings);
  const trusted: TrustGrant = { at: '', commands: 0, sha256: '', ...(agreed && settings ? { settings } : {}) };
  const { context } = world();
  const places = commandPlaces({
    ...context,
    projectFolder: folder,
    ...bothPorts(async () => worktrees),
    settings: async () => ({ name: 'config.toml', read: async () => file, set: async () => expect.unreachable() }),
    trust: async () => ({ ...(await context.trust()), read: async () => trusted }),
    programs: async () =>
      new LocalPrograms({ projectFolder: folder, environment: { PATH: process.env['PATH'] ?? '' } }),
  });
  const enter = (attempt = 1) => places.enter(TASK, attempt, new AbortController().signal);
  return { folder, enter, worktrees };
}

verifies('tree.setup', 'the setup of a project runs once in each worktree, before anybody works there', async () => {
  const setup = 'echo "$WG_BRANCH" >> .prepared && test "$WG_WORKTREE_PATH" = "$PWD"';
  const { enter, worktrees } = project({ setup });
  const first = await enter();
  await enter(); // whoever claims its task finds it prepared
  const read = (folder = '') => readFileSync(path.join(folder, '.prepared'), 'utf8');
  expect(read(first?.folder)).toBe('wg/a/1\n');
  expect(read((await enter(2))?.folder)).toBe('wg/a/2\n');
  expect(await worktrees.create({ task: 'a', attempt: 1 })).toMatchObject({ isSetUp: true });
});

verifies('tree.setup', 'one that fails is one error with the end of its output, and is run again', async () => {
  const { enter } = project({ setup: 'test -e ../../../ready || { echo "no network" >&2; exit 3; }' });
  await expect(enter()).rejects.toMatchObject({
    code: 'setup_failed',
    message: expect.stringContaining('failed with status 3'),
    why: 'no network',
  });
  await expect(enter()).rejects.toMatchObject({ code: 'setup_failed' });
  const slow = project({ setup: 'sleep 60', setup_timeout: '1s' });
  await expect(slow.enter()).rejects.toThrow('took longer than worktree.setup_timeout');
});

verifies('tree.setup', 'a setup that came with the repository waits for a person on this machine', async () => {
  const { enter, folder } = project({ setup: 'touch ../../../ran' }, false);
  await expect(enter()).rejects.toMatchObject({ code: 'untrusted_command' });
  expect(existsSync(path.join(folder, 'ran'))).toBe(false);
});
