import { expect } from 'vitest';
import { verifies } from '../verifies.js';
import { clientProject, engine } from './client-world.js';
import { until } from './program.js';

verifies(
  'ui.web.room',
  'a service that starts again has its dashboard where it was, for the browsers it let in',
  async () => {
    const cwd = await clientProject();
    const first = await engine(cwd);
    const { origin, hash } = new URL(await first.dashboardLink({ kind: 'person', name: 'ann' }));
    const login = await fetch(`${origin}/api/session`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ code: hash.replace('#code=', '') }),
    });
    const cookie = String(login.headers.get('set-cookie')).split(';')[0] ?? '';
    await first.stop({ killRuns: false });
    await expect(fetch(`${origin}/api/project`, { headers: { cookie } })).rejects.toThrow();
    const second = await engine(cwd);
    // Nobody asks for a link: the page that is open is answered all the same.
    const answers = () => fetch(`${origin}/api/project`, { headers: { cookie } });
    await until('the dashboard to answer', async () => (await answers().catch(() => undefined))?.status === 200);
    expect(new URL(await second.dashboardLink({ kind: 'person', name: 'ann' })).origin).toBe(origin);
    await second.logOut();
    expect((await answers()).status).toBe(401);
  },
);
