import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { SmtpNotifier } from '#adapters/notify/smtp.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { verifies } from '../../verifies.js';
import { LASTING } from './lasting.js';
import { listening, mailServer, PASSWORD } from './mail-server.js';

const NOTICE = { to: 'ann@example.org', subject: 'Sign off', text: 'Please look.', id: 'agent-7.abc' };

verifies('human.email', 'a notice arrives as plain text, with a Message-ID made of the run id', async () => {
  const { mails, place } = await mailServer();
  const receipt = await new SmtpNotifier(place).send(
    { ...NOTICE, text: 'Look at <b>this</b>\n\u001b[31mred' },
    LASTING,
  );
  expect(receipt).toEqual({ channel: 'email', reference: '<agent-7.abc@example.com>' });
  const [mail] = mails;
  expect(mail).toMatchObject({ from: 'troupe@example.com', to: ['ann@example.org'] });
  expect(mail?.raw).toMatch(/^Message-ID: <agent-7\.abc@example\.com>\r$/im);
  expect(mail?.raw).toMatch(/^Subject: Sign off\r$/m);
  expect(mail?.raw).toMatch(/^Content-Type: text\/plain/im);
  expect(mail?.raw).not.toMatch(/text\/html/i);
  expect(mail?.raw).toContain('<b>this</b>');
  expect(mail?.raw).not.toContain('\u001b');
});

verifies('human.email', 'a title cannot become a header or a second recipient', async () => {
  const { mails, place } = await mailServer();
  const subject = 'Sign off\r\nBcc: eve@example.org\r\n\r\n<script>';
  await new SmtpNotifier(place).send({ ...NOTICE, subject, id: 'agent-7\r\nX-Evil: 1' }, LASTING);
  expect(mails[0]?.to).toEqual(['ann@example.org']);
  const headers = mails[0]?.raw.split('\r\n\r\n')[0] ?? '';
  expect(headers).not.toMatch(/^(Bcc|X-Evil):/im);
  for (const to of [
    'ann@example.org, eve@example.org',
    'ann',
    'a b@example.org',
    'ann@example.org\r\nBcc: x@y.z',
    '',
  ]) {
    await expect(new SmtpNotifier(place).send({ ...NOTICE, to }, LASTING), to).rejects.toMatchObject({
      code: 'bad_input',
    });
  }
  expect(mails).toHaveLength(1);
});

verifies('human.email', 'the server is told who we are; a refusal is said without the password', async () => {
  const { mails, place } = await mailServer({ login: true });
  await new SmtpNotifier({ ...place, user: 'troupe', password: PASSWORD }).send(NOTICE, LASTING);
  await new SmtpNotifier({ ...place, host: 'localhost', user: 'troupe', password: PASSWORD }).send(NOTICE, LASTING);
  expect(mails).toHaveLength(2);
  const wrong = `${PASSWORD}-but-wrong`;
  const error = await refusal(new SmtpNotifier({ ...place, user: 'troupe', password: wrong }));
  expect(error.code).toBe('notify_failed');
  expect(JSON.stringify(error)).not.toContain(PASSWORD);
});

test('a refused recipient and an absent server are notify_failed, with the reason made harmless', async () => {
  const { place } = await mailServer({ refuse: `No such \u001b]0;user ${'x'.repeat(200)}` });
  const refused = await refusal(new SmtpNotifier(place));
  expect(refused.code).toBe('notify_failed');
  expect(refused.why).toHaveLength(200);
  expect(refused.why).not.toContain('\u001b');
  const nobody = createServer();
  const port = await listening(nobody.listen(0, '127.0.0.1'));
  await new Promise((resolve) => nobody.close(resolve));
  expect((await refusal(new SmtpNotifier({ ...place, port }))).message).toContain(`127.0.0.1:${port}`);
});

test('a server that says nothing does not hold us', async () => {
  const silent = createServer(() => undefined);
  const port = await listening(silent.listen(0, '127.0.0.1'));
  onTestFinished(() => {
    silent.close();
  });
  const place = { host: '127.0.0.1', port, secure: false, from: 'troupe@example.com' };
  expect((await refusal(new SmtpNotifier(place, 200))).code).toBe('notify_failed');
});

test('a server that goes on greeting us is left in time, and of one that refuses us no timer stays', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const events = new EventEmitter();
  const [greeted, left] = [once(events, 'greeted'), once(events, 'left')];
  const endless = createServer((socket) => {
    socket.on('error', () => undefined).on('close', () => events.emit('left'));
    socket.once('data', () => socket.write('250-more\r\n', () => events.emit('greeted')));
    socket.write('220 hello\r\n');
  });
  const refusing = createServer((socket) => socket.on('error', () => undefined).end('554 no\r\n'));
  const [place, other] = await Promise.all(
    [endless, refusing].map(async (server) => {
      onTestFinished(() => void server.close());
      return {
        ...{ host: '127.0.0.1', secure: false, from: 'troupe@example.com' },
        port: await listening(server.listen(0, '127.0.0.1')),
      };
    }),
  );
  if (!place || !other) throw new Error('No server');
  await refusal(new SmtpNotifier(other));
  for (let turn = 0; turn < 1_000 && vi.getTimerCount() > 0; turn++) await new Promise(setImmediate);
  expect(vi.getTimerCount()).toBe(0);
  let said: string | undefined;
  const sending = refusal(new SmtpNotifier(place, 1_000)).then(({ why }) => {
    said = why;
  });
  await greeted;
  vi.advanceTimersByTime(1_999);
  await new Promise(setImmediate);
  expect(said).toBeUndefined();
  vi.advanceTimersByTime(1);
  await new Promise(setImmediate);
  expect(said).toBe('no answer in time');
  await Promise.all([sending, left]);
});

async function refusal(notifier: SmtpNotifier): Promise<TroupeError> {
  try {
    await notifier.send(NOTICE, LASTING);
  } catch (error) {
    if (error instanceof TroupeError) return error;
    throw error;
  }
  throw new Error('It was sent');
}

verifies(
  'human.email',
  'a name is told over TLS alone, but on this machine; without one a mail goes as it can',
  async () => {
    const { mails, place } = await mailServer();
    const far = { ...place, host: '0.0.0.0' };
    expect((await refusal(new SmtpNotifier({ ...far, user: 'troupe', password: PASSWORD }))).code).toBe(
      'notify_failed',
    );
    expect(mails).toHaveLength(0);
    await new SmtpNotifier(far).send(NOTICE, LASTING);
    expect(mails).toHaveLength(1);
    await new SmtpNotifier(place).send({ ...NOTICE, subject: 's'.repeat(1_000), text: 'one\ntwo' }, LASTING);
    expect(mails[1]?.raw).toMatch(/\r\n\r\none\r\ntwo\r\n/);
    const subject = /^Subject: ((?:.|\r\n\s)*?)\r$/m.exec(mails[1]?.raw ?? '')?.[1]?.replace(/\s/g, '') ?? '';
    expect(subject.replace(/=\?.*$/, '').length).toBeLessThanOrEqual(TEAM_LIMITS.notifySubjectCharacters);
    expect(mails[1]?.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  },
);
