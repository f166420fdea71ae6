import { expect, test } from 'vitest';
import { Webhook } from '#adapters/notify/webhook.js';
import type { WebhookShape } from '#adapters/notify/webhook-shapes.js';
import { NOTICE_LIMITS } from '#kernel/limits/notices.js';
import { refusalOf } from '../../refusal.js';
import { verifies } from '../../verifies.js';
import { hookServer } from './hook-server.js';
import { LASTING } from './lasting.js';

const NOTICE = { to: '', subject: '[parser] Failed: build', text: 'no <network> & *no* luck\nline two', id: 'abc-1' };

/** The body that arrived for a notice in a shape. */
async function posted(shape: WebhookShape, notice: Partial<typeof NOTICE> = {}, token?: string) {
  const { url, calls } = await hookServer();
  await new Webhook({ url, shape, token }, undefined).send({ ...NOTICE, ...notice }, LASTING);
  const [call] = calls;
  if (!call) throw new Error('nothing arrived');
  return call;
}

verifies('notify.webhook', 'plain JSON has the id, the subject and the text, and the key in a header', async () => {
  const { method, path, headers, body } = await posted('json', {}, 'tk_1');
  expect([method, path]).toEqual(['POST', '/services/T0/B0/the-secret-part']);
  expect(headers).toMatchObject({ 'idempotency-key': 'abc-1', authorization: 'Bearer tk_1' });
  expect(body).toEqual({ id: 'abc-1', subject: NOTICE.subject, text: NOTICE.text });
  expect((await posted('json')).headers.authorization).toBeUndefined();
});

verifies(['notify.webhook', 'notify.inert'], 'Slack gets text without markup, mentions and previews', async () => {
  const { body } = await posted('slack', { text: '<!channel> <@U1> @here *bold* <https://x.example|y> & \u001b[2J' });
  expect(body).toEqual({
    text: '[parser] Failed: build\n\n&lt;!channel&gt; &lt;@\u200bU1&gt; @\u200bhere *bold* &lt;https://x.example|y&gt; &amp; \\u{1b}[2J',
    ...{ mrkdwn: false, link_names: false, unfurl_links: false, unfurl_media: false },
  });
});

verifies(['notify.webhook', 'notify.inert'], 'Discord gets text without markup, mentions and previews', async () => {
  const { path, body } = await posted('discord', { text: '@everyone <@&7> **bold** [a](http://b) `c`\n# d' });
  expect(path).toContain('?wait=true');
  expect(body).toEqual({
    content:
      '\\[parser\\] Failed: build\n\n@\u200beveryone \\<@\u200b&7\\> \\*\\*bold\\*\\* \\[a\\]\\(http://b\\) \\`c\\`\n\\# d',
    ...{ allowed_mentions: { parse: [] }, flags: 4 },
  });
  const long = await posted('discord', { text: '*'.repeat(5_000) });
  expect(String(long.body['content'])).toHaveLength(NOTICE_LIMITS.discordCharacters);
});

verifies(
  'notify.webhook',
  'ntfy gets the topic of the address, plain text, and a key that replaces the first',
  async () => {
    const { path, body } = await posted('ntfy', { id: 'a.b/c', text: 'ä'.repeat(5_000) });
    expect(path).toBe('/services/T0/B0/');
    expect(body).toMatchObject({
      topic: 'the-secret-part',
      title: NOTICE.subject,
      markdown: false,
      sequence_id: 'a-b-c',
    });
    expect(Buffer.byteLength(String(body['message']))).toBeLessThanOrEqual(NOTICE_LIMITS.ntfyBytes);
    expect(String(body['message'])).toMatch(/^ä{1700}/);
    const { url } = await hookServer();
    await expect(new Webhook({ url: `${url}/`, shape: 'ntfy' }).send(NOTICE, LASTING)).rejects.toMatchObject({
      code: 'bad_config',
      message: 'The address of the webhook does not end with the name of a topic of ntfy.',
    });
  },
);

verifies('notify.secrets', 'only https, or http on this machine; the address is never repeated', async () => {
  for (const url of ['http://hooks.example/secret', 'file:///secret', 'secret', 'https://ann:secret@hooks.example/'])
    expect(refusalOf(() => new Webhook({ url, shape: 'json' }))).toMatchObject({
      code: 'bad_config',
      message: 'The address of the webhook must be an https:// address.',
    });
  expect(() => new Webhook({ url: 'https://hooks.example/x', shape: 'json' })).not.toThrow();
  const { port } = await hookServer();
  const closed = new Webhook({ url: `http://127.0.0.1:1/secret-${port}`, shape: 'json' });
  await expect(closed.send(NOTICE, LASTING)).rejects.toMatchObject({ why: 'it cannot be reached (ECONNREFUSED)' });
});

test('a redirect is not followed, and every success counts', async () => {
  const other = await hookServer();
  const away = await hookServer(() => ({ location: other.url }));
  await expect(new Webhook({ url: away.url, shape: 'json' }).send(NOTICE, LASTING)).rejects.toMatchObject({
    why: 'it answered 307',
  });
  expect(other.calls).toEqual([]);
  const empty = await hookServer(() => 204);
  expect(await new Webhook({ url: empty.url, shape: 'json' }).send(NOTICE, LASTING)).toEqual({
    channel: 'webhook',
    reference: 'abc-1',
  });
});
