import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { mailServer } from '../adapters/notify/mail-server.js';
import { verifies } from '../verifies.js';
import { asked, project, startService, statuses, until, untilStatus } from './program.js';

interface Shown {
  readonly task: Readonly<Record<string, unknown>>;
}

verifies(
  ['human.flow', 'human.email'],
  'the service hands a task to a person by mail while its one slot is taken; what she says counts after a restart',
  async () => {
    const { mails, place } = await mailServer();
    const cwd = await project('parser');
    writeFileSync(
      path.join(cwd, '.workgraph/config.toml'),
      [
        '[coordinator]',
        'executor = "shell"',
        '[notify.smtp]',
        `host = "${place.host}"`,
        `port = ${place.port}`,
        `from = "${place.from}"`,
        '',
      ].join('\n'),
    );
    await asked(['trust'], { cwd });
    await asked(['agent', 'create', 'Ann', '--executor', 'email', '--contact', 'ann@example.org'], { cwd });
    await asked(['add', 'Long', '--id', 'long', '--exec', 'sleep 60'], { cwd });
    await asked(['add', 'Sign the contract', '--id', 'sign'], { cwd });
    await asked(['add', 'Count the pages', '--id', 'count'], { cwd });
    await asked(['add', 'Send it off', '--id', 'send', '--after', 'sign', '--exec', 'true'], { cwd });
    for (const id of ['sign', 'count']) await asked(['assign', id, 'Ann'], { cwd });
    await startService(cwd, '--max-agents', '1');
    await until('the mail', () => mails.length > 0);
    expect(mails[0]).toMatchObject({ to: ['ann@example.org'] });
    expect(mails[0]?.raw).toMatch(/^Subject: \[parser\] Sign the contract\r$/m);
    expect(mails[0]?.raw).toContain('troupe done sign');
    expect(await statuses(cwd)).toMatchObject({ long: 'in-progress', sign: 'in-progress', count: 'open' }); // one at a time
    await until('the notice to stand at the task', async () => {
      const { task } = await asked<Shown>(['show', 'sign'], { cwd });
      return (task['told'] as { sent: number }).sent === 1;
    });
    expect((await asked<Shown>(['show', 'sign'], { cwd })).task).toMatchObject({ assigned: 'Ann', fence: 1 });
    await asked(['service', 'stop'], { cwd });
    await startService(cwd, '--max-agents', '2');
    expect((await asked<Shown>(['show', 'sign'], { cwd })).task).toMatchObject({ status: 'in-progress', fence: 1 });
    await asked(['done', 'sign', '--actor', 'Ann'], { cwd });
    await untilStatus(cwd, 'send', 'done');
    await until('the next mail', () => mails.length > 1);
    expect(mails.map(({ raw }) => /^Subject: (.*)\r$/m.exec(raw)?.[1])).toEqual([
      '[parser] Sign the contract',
      '[parser] Count the pages',
    ]);
  },
);
