import { createServer } from 'node:net';
import { onTestFinished } from 'vitest';
import { Desktop } from '#adapters/notify/desktop.js';
import { MatrixRoom } from '#adapters/notify/matrix.js';
import { SmtpNotifier } from '#adapters/notify/smtp.js';
import { Webhook } from '#adapters/notify/webhook.js';
import { WEBHOOK_SHAPES, type WebhookShape } from '#adapters/notify/webhook-shapes.js';
import { notifierContract } from '../../contract/notifier.js';
import { desktopProgram } from './desktop-program.js';
import { homeserver, ROOM, TOKEN } from './homeserver.js';
import { hookServer } from './hook-server.js';
import { listening, mailServer, PASSWORD } from './mail-server.js';

const SOON = 300;

for (const shape of Object.keys(WEBHOOK_SHAPES) as WebhookShape[])
  notifierContract(`webhook (${shape})`, 'webhook', async () => {
    let calls: readonly { readonly body: object }[] = [];
    return {
      to: '',
      make: async (end) => {
        const server = await hookServer(() => (end === 'accepts' ? 200 : end === 'refuses' ? 500 : 'silence'));
        calls = server.calls;
        return new Webhook({ url: server.url, shape, token: 'tk_0123456789' }, end === 'silent' ? SOON : undefined);
      },
      arrived: () => calls.map(({ body }) => JSON.stringify(body).replaceAll('\\\\', '')),
      secrets: ['the-secret-part', '127.0.0.1', 'tk_0123456789'],
    };
  });

notifierContract('desktop', 'desktop', async () => {
  const program = desktopProgram();
  return {
    to: '',
    make: async (end) => {
      program.behave(end);
      return new Desktop({ PATH: program.path }, 'linux', end === 'silent' ? SOON : undefined);
    },
    arrived: program.shown,
    secrets: [],
  };
});

notifierContract('mail', 'email', async () => {
  let mails: readonly { readonly raw: string }[] = [];
  return {
    to: 'ann@example.org',
    make: async (end) => {
      if (end === 'silent' || end === 'endless') {
        const sockets = createServer(() => undefined);
        const port = await listening(sockets.listen(0, '127.0.0.1'));
        onTestFinished(() => void sockets.close());
        return new SmtpNotifier(
          { host: '127.0.0.1', port, secure: false, from: 'troupe@example.com' },
          end === 'silent' ? SOON : undefined,
        );
      }
      const server = await mailServer({ login: true, ...(end === 'refuses' ? { refuse: `no ${PASSWORD}` } : {}) });
      mails = server.mails;
      return new SmtpNotifier({ ...server.place, user: 'troupe', password: PASSWORD });
    },
    arrived: () => mails.map(({ raw }) => raw),
    secrets: [PASSWORD],
  };
});

notifierContract('Matrix', 'matrix', async () => {
  let timeline: readonly { readonly content: unknown }[] = [];
  return {
    to: '@ann:example.org',
    make: async (end) => {
      const refusal = { status: 500, text: `{"error":"${TOKEN}"}` };
      const server = await homeserver(() =>
        end === 'silent' || end === 'endless' ? 'silence' : end === 'refuses' ? refusal : undefined,
      );
      timeline = server.timeline;
      const place = { homeserver: server.url, token: TOKEN, room: ROOM };
      return new MatrixRoom(place, end === 'silent' ? SOON : undefined);
    },
    arrived: () => timeline.map(({ content }) => JSON.stringify(content)),
    secrets: [TOKEN],
  };
});
