import { expect } from 'vitest';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { ServedCounts } from '#ports/served-projects.js';
import { world } from '../../e2e/world.js';
import { verifies } from '../../verifies.js';

const SINCE = '2026-03-01T09:00:00.000Z';

function served(folder: string, port?: number, counts?: ServedCounts, listens: readonly string[] = []) {
  return { folder, since: Date.parse(SINCE), port, listens, counts: async () => counts };
}

verifies(
  'web.pages',
  'the projects with a service are listed by name, with what waits there as far as it is known',
  async () => {
    const own = world();
    own.served.push(
      served('/home/you/shop', 4_001, { needsYou: 3, running: 2 }, ['https://box.example:8443']),
      served('/srv/api'),
      served('/project', 4_000, { needsYou: 0, running: 0 }),
      served('/home/me/shop'),
    );
    const row = { since: SINCE, here: false, address: null, listens: [], needs_you: null, running: null };
    expect(await own.call('project.list', {})).toEqual({
      projects: [
        { ...row, name: 'api', folder: '/srv/api' },
        {
          ...row,
          name: 'project',
          folder: '/project',
          here: true,
          address: 'http://127.0.0.1:4000/',
          needs_you: 0,
          running: 0,
        },
        { ...row, name: 'shop', folder: '/home/me/shop' },
        {
          ...{ ...row, name: 'shop', folder: '/home/you/shop', needs_you: 3, running: 2 },
          ...{ address: 'http://127.0.0.1:4001/', listens: ['https://box.example:8443/'] },
        },
      ],
      more: 0,
    });
  },
);

verifies('web.pages', 'no more services are asked than are listed', async () => {
  const own = world();
  let asked = 0;
  for (let number = 0; number < WORK_LIMITS.servedProjects + 3; number++)
    own.served.push({ ...served(`/srv/${number}`), counts: async () => void asked++ as undefined });
  expect(await own.call('project.list', {})).toMatchObject({ more: 3 });
  expect(asked).toBe(WORK_LIMITS.servedProjects);
});
