import type { Server } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { onTestFinished } from 'vitest';
import type { SmtpPlace } from '#adapters/notify/smtp.js';

interface Mail {
  readonly from: string;
  readonly to: string[];
  readonly raw: string;
}

export const PASSWORD = 'correct-horse-battery';

/** A real SMTP server on loopback that records its mails. */
export async function mailServer(options: { login?: boolean; refuse?: string } = {}) {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    authOptional: options.login !== true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    logger: false,
    onAuth: (auth, _session, done) => {
      if (auth.username === 'troupe' && auth.password === PASSWORD) done(null, { user: 'troupe' });
      else done(new Error(`Wrong password ${auth.password}`));
    },
    onRcptTo: (_address, _session, done) => {
      if (options.refuse === undefined) done();
      else done(new Error(options.refuse));
    },
    onData: (stream, session, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        mails.push({ from, to: rcptTo.map(({ address }) => address), raw: Buffer.concat(parts).toString('utf8') });
        done();
      });
    },
  });
  server.on('error', () => undefined);
  const port = await listening(server.listen(0, '127.0.0.1'));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  return { mails, place: { host: '127.0.0.1', port, secure: false, from: 'troupe@example.com' } satisfies SmtpPlace };
}

export function listening(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.once('listening', () => resolve((server.address() as { port: number }).port));
  });
}
