import { expect, test } from 'vitest';
import { TroupeError } from '#kernel/errors.js';
import { doctor } from '#operations/history/doctor.js';
import type { Context } from '#operations/operation.js';
import { world } from '../../e2e/world.js';
import { NO_CLIENTS } from '../../no-clients.js';

test('doctor puts something right only when it is told to, and not for a run', async () => {
  const { context } = world();
  const graph = { examine: async () => [], repair: async () => ['A torn end was set aside.'] } as never;
  const git = () => Promise.reject(new TroupeError('git_missing'));
  const tools = ['git', 'bash'];
  const machine: Partial<Context> = {
    machine: async () => ({ node: '20.20.2', holds: () => false }),
    clientPrograms: async () => ({
      ...NO_CLIENTS,
      find: async (program) => (tools.includes(program) ? `/bin/${program}` : undefined),
    }),
    programs: async () => ({ run: async () => ({ output: 'version 2.39.5' }) }) as never,
  };
  const own: Context = { ...context, ...machine, doctor: async () => graph, git };
  expect(await doctor.run(own, {})).toMatchObject({ ok: true, repaired: [] });
  expect(await doctor.run(own, { repair: true })).toMatchObject({ repaired: ['A torn end was set aside.'] });
  const run: Context = { ...own, caller: { kind: 'run', name: 'agent-1', taskId: 'a', fence: 1 } as never };
  await expect(doctor.run(run, { repair: true })).rejects.toMatchObject({ code: 'not_yours' });
});
