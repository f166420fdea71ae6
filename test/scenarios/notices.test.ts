import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { hookServer } from '../adapters/notify/hook-server.js';
import { verifies } from '../verifies.js';
import { asked, bareService, endEverything, project, troupe, until, untilStatus } from './program.js';

verifies(
  ['notify.retry', 'notify.problems', 'notify.test'],
  'a webhook that never answers delays neither work nor the end of the service, and is a problem that is listed',
  async () => {
    let silent = false;
    const { url, calls } = await hookServer(() => (silent ? 'silence' : 200));
    const cwd = await project('parser');
    onTestFinished(() => endEverything(cwd));
    const lines = [
      '[coordinator]',
      'executor = "shell"',
      '[notify]',
      'every = "1s"',
      '[notify.webhook]',
      'url_env = "HOOK"',
    ];
    writeFileSync(path.join(cwd, '.workgraph/config.toml'), `${lines.join('\n')}\n`);
    expect((await troupe(['notify', 'test'], { cwd, env: { HOOK: url } })).stderr).toContain(
      'not trusted on this machine',
    );
    await asked(['trust'], { cwd });
    const service = bareService(cwd, 1, { HOOK: url });
    const ended = new Promise((resolve) => service.once('exit', resolve));
    await until('the service', async () => (await troupe(['service', 'status'], { cwd })).stdout.includes('running'));
    const tested = await troupe(['notify', 'test'], { cwd });
    expect([tested.code, tested.stdout]).toEqual([0, 'webhook: sent\n']);
    expect(calls[0]?.body['subject']).toBe('[parser] Test of notices');

    silent = true;
    await asked(['add', 'Fails', '--id', 'fails', '--exec', 'exit 3'], { cwd });
    await until('the notice', () => calls.length === 2);
    expect(calls[1]?.body).toMatchObject({ subject: '[parser] Failed: Fails' });
    await asked(['add', 'Quick', '--id', 'quick', '--exec', 'true'], { cwd });
    await untilStatus(cwd, 'quick', 'done', 5_000);
    const since = Date.now();
    await asked(['service', 'stop'], { cwd });
    await ended;
    expect(Date.now() - since).toBeLessThan(10_000);

    const next = bareService(cwd, 1, { HOOK: 'http://127.0.0.1:1/none' });
    const over = new Promise((resolve) => next.once('exit', resolve));
    await until('the problem', async () => {
      const { problems } = await asked<{ problems: { kind: string; text: string }[] }>(['problems'], { cwd });
      return problems.some(({ kind, text }) => kind === 'channel' && text.includes('cannot be reached'));
    });
    await asked(['service', 'stop'], { cwd });
    await over;
  },
);
