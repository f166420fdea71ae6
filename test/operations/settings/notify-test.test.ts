import { expect } from 'vitest';
import { guardedFingerprint, settingsFrom } from '#core/settings/settings.js';
import { Channels } from '#main/channels.js';
import type { Context } from '#operations/operation.js';
import { notifyTest } from '#operations/settings/notify-test.js';
import { hookServer } from '../../adapters/notify/hook-server.js';
import { mailServer } from '../../adapters/notify/mail-server.js';
import { world } from '../../e2e/world.js';
import { verifies } from '../../verifies.js';

/** A project with these settings, agreed to or not, and the real channels. */
function asking(notify: object, environment: NodeJS.ProcessEnv, agreed = true): Context {
  const { context } = world();
  const { settings } = settingsFrom({ notify });
  const fingerprint = agreed ? guardedFingerprint(settings) : undefined;
  const channels = new Channels(settings, environment);
  return {
    ...context,
    settings: async () => ({ ...(await context.settings()), read: async () => ({ notify }) }),
    trust: async () => ({ ...(await context.trust()), read: async () => ({ settings: fingerprint }) as never }),
    notifier: (channel) => channels.notifier(channel),
  };
}

verifies(
  ['notify.test', 'notify.secrets'],
  'each configured channel gets one notice, and what came of it is said without addresses',
  async () => {
    const { url, calls } = await hookServer(() => 500);
    const { mails, place } = await mailServer();
    const { host, port, from } = place;
    const notify = { webhook: { url_env: 'HOOK', shape: 'slack' }, smtp: { host, port, from, to: 'ann@example.org' } };
    const answer = await notifyTest.run(asking(notify, { HOOK: url }), {});
    expect(answer).toEqual({
      ok: false,
      channels: [
        { channel: 'webhook', sent: false, why: 'The webhook did not accept it: it answered 500' },
        { channel: 'email', sent: true },
      ],
      warnings: [],
    });
    expect([calls.length, mails.length]).toEqual([1, 1]);
    expect(mails[0]?.raw).toContain('Subject: [project] Test of notices');
  },
);

verifies('notify.secrets', 'a variable that is not set is named, its value never', async () => {
  const hook = { webhook: { url_env: 'HOOK', token_env: 'TOKEN' } };
  const whyOf = async (environment: NodeJS.ProcessEnv) =>
    (await notifyTest.run(asking(hook, environment), {})).channels[0]?.why;
  expect(await whyOf({})).toContain('The environment variable HOOK that notify.webhook.url_env names is not set here.');
  expect(await whyOf({ HOOK: 'https://hooks.example/s3cret' })).toContain('The environment variable TOKEN');
  const plain = await whyOf({ HOOK: 'http://hooks.example/s3cret', TOKEN: 'tk_s3cret' });
  expect(plain).toContain('must be an https:// address');
  expect(plain).not.toContain('s3cret');
});

verifies('notify.trust', 'a channel from a file that nobody here agreed to is none', async () => {
  const { url, calls } = await hookServer();
  const hook = { webhook: { url_env: 'HOOK' } };
  await expect(notifyTest.run(asking(hook, { HOOK: url }, false), {})).rejects.toMatchObject({
    code: 'notify_unconfigured',
    why: expect.stringContaining('run `troupe trust`'),
  });
  await expect(notifyTest.run(asking({}, {}), {})).rejects.toMatchObject({
    code: 'notify_unconfigured',
    message: 'No channel for notices is configured.',
  });
  expect(calls).toEqual([]);
});
