import { chmodSync, copyFileSync, readFileSync } from 'node:fs';
import { type RequestOptions, request } from 'node:https';
import { networkInterfaces } from 'node:os';
import { expect, onTestFinished } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { AccessTokensFile } from '#adapters/trust/access-tokens-file.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { listenAddressOf } from '#main/listen-address.js';
import type { TokenScope } from '#ports/callers.js';
import { room } from '../room.js';
import { freePort, selfSigned } from '../tls.js';
import { verifies } from '../verifies.js';
import { bearer, connects, json, listen, serve, TOKEN } from './http-client.js';

const DAY_MS = 24 * 60 * 60_000;
const headersOf = (secret: string) => ({ authorization: `Bearer ${secret}` });

/** A server with a store of tokens on disk. */
async function served(options: Parameters<typeof serve>[0] = {}) {
  let own: Awaited<ReturnType<typeof serve>>['own'] | undefined;
  const clock = { now: () => own?.clock.now() ?? 0 };
  const tokens = new AccessTokensFile({ folder: room('tokens'), processes: new ProcessTable(), clock }, 'project');
  const beats = new Set<() => void>();
  const every = (_: number, beat: () => void) => {
    beats.add(beat);
    return () => beats.delete(beat);
  };
  const world = await serve({ tokens, every, ...options });
  own = world.own;
  const add = (name: string, scope: TokenScope = 'observer', lifeMs = DAY_MS) => {
    const now = clock.now();
    return tokens.add({ name, scope, person: 'you', made: now, until: now + lifeMs });
  };
  const beat = () => {
    for (const one of [...beats]) one();
  };
  return { ...world, tokens, add, beat };
}

verifies('api.tokens', 'a token opens until it expires or is revoked, then nothing, at once', async () => {
  const { ask, add, tokens, own } = await served();
  const [short, long] = [await add('short', 'observer', 60_000), await add('long')];
  const code = async (secret: string) => {
    const answer = await ask('/api/status/now', { headers: headersOf(secret) });
    return answer.status === 200 ? 'ok' : `${answer.status} ${answer.json().error.code}`;
  };
  expect([await code(short), await code(long)]).toEqual(['ok', 'ok']);
  expect(await code(long.slice(0, -1)), 'a part of it').toBe('401 unauthenticated');
  own.pass(60_000);
  expect([await code(short), await code(long)]).toEqual(['401 token_ended', 'ok']);
  await tokens.revoke('long');
  expect(await code(long)).toBe('401 unauthenticated');
  expect((await ask(`/api/status/now?token=${short}`)).status, 'never in an address').toBe(401);
});

verifies('api.tokens', 'an open stream of a revoked token ends at once and says why; others go on', async () => {
  const { server, own, add, tokens } = await served();
  const [gone, stays] = [await add('gone'), await add('stays')];
  const first = await listen(server.port, '/api/events?from=1', headersOf(gone));
  const other = await listen(server.port, '/api/events?from=1', headersOf(stays));
  await own.add('a');
  await first.until(1);
  await tokens.revoke('gone');
  await first.untilText('event: end');
  await first.untilText('The token gone was revoked.');
  await first.ended;
  await own.add('b');
  expect((await other.until(2)).map(({ seq }) => seq)).toEqual([1, 2]);
  other.hangUp();
});

verifies(
  'api.tokens',
  'an open stream ends when its token expires: before the next event, and with the heartbeat',
  async () => {
    const { server, own, add, beat } = await served();
    const secret = await add('short', 'observer', 60_000);
    const [quiet, busy] = [
      await listen(server.port, '/api/events?from=1', headersOf(secret)),
      await listen(server.port, '/api/events?from=1', headersOf(secret)),
    ];
    await quiet.untilText(': connected');
    own.pass(60_000);
    beat();
    await quiet.untilText('The token short has expired.');
    await Promise.all([quiet.ended, busy.ended]);
    const late = await add('late', 'observer', 60_000);
    const stream = await listen(server.port, '/api/events?from=1', headersOf(late));
    own.pass(60_000);
    await own.add('a');
    await stream.untilText('The token late has expired.');
    await stream.ended;
    expect(await stream.until(0), 'nothing was sent after it').toEqual([
      expect.objectContaining({ error: expect.anything() }),
    ]);
  },
);

verifies(
  'api.tokens',
  'a stream that is cut goes on after its last event: nothing is missed, nothing comes twice',
  async () => {
    const { server, own, add } = await served();
    const headers = headersOf(await add('reader'));
    const seen: number[] = [];
    for (let round = 0; round < 8; round++) {
      const from = seen.at(-1) ?? 0;
      const stream = await listen(server.port, '/api/events', { ...headers, 'last-event-id': `${from}` });
      await own.add(`task-${2 * round}`);
      const events = await stream.until(1);
      stream.hangUp();
      await own.add(`task-${2 * round + 1}`); // while nobody reads
      seen.push(...events.map(({ seq }) => seq));
    }
    const last = await listen(server.port, '/api/events', { ...headers, 'last-event-id': `${seen.at(-1)}` });
    seen.push(...(await last.until(16 - seen.length)).map(({ seq }) => seq));
    last.hangUp();
    expect(seen).toEqual(Array.from({ length: 16 }, (_, index) => index + 1));
  },
);

verifies(
  'api.tokens',
  'wrong secrets are counted: past a number none is looked at for a minute, not even the right one',
  async () => {
    const { server, ask, own, add } = await served();
    const secret = await add('ci');
    const code = async (headers: Record<string, string>) => {
      const answer = await ask('/api/status/now', { headers });
      return answer.status === 200 ? 'ok' : answer.json().error.code;
    };
    const login = async () => {
      const headers = { origin: server.address, ...json };
      return (await ask('/api/session', { method: 'POST', headers, body: '{"code":"wrong"}' })).json().error.code;
    };
    for (let tries = 0; tries < SURFACE_LIMITS.failedTries - 1; tries++)
      expect(await code(headersOf(`no-${tries}`))).toBe('unauthenticated');
    expect(await login()).toBe('login_code_invalid');
    expect(await code({}), 'no secret is no try').toBe('unauthenticated');
    expect([await code(headersOf('no')), await code(headersOf(secret)), await login()]).toEqual(
      Array(3).fill('too_many_tries'),
    );
    own.pass(SURFACE_LIMITS.failedTriesMs);
    expect(await code(headersOf(secret))).toBe('ok');
  },
);

/** An address of this machine that others reach, too. */
const OUTER = Object.values(networkInterfaces())
  .flatMap((own) => own ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

/** Asks over TLS and answers status and body. */
function askTls(
  options: RequestOptions & { readonly ca: string },
): Promise<{ status: number; text: string; cert: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ agent: false, ...options }, (incoming) => {
      const { socket } = incoming as unknown as { socket: { getPeerX509Certificate(): { serialNumber: string } } };
      const cert = socket.getPeerX509Certificate().serialNumber;
      let text = '';
      incoming.on('data', (chunk) => (text += String(chunk)));
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, text, cert }));
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

verifies(
  'api.tokens',
  'beyond this machine it listens with TLS alone, to the names of its certificate, for tokens alone',
  async () => {
    const host = OUTER ?? '127.0.0.1';
    const files = selfSigned(`DNS:desk.example,IP:${host}`);
    const port = await freePort();
    const at = listenAddressOf({ address: `0.0.0.0:${port}`, ...files });
    const { server, add, ask } = await served({ listen: at });
    const secret = await add('ci');
    expect(server.addresses).toEqual([server.address, `https://desk.example:${port}`]);
    expect(server.loginAddress({ kind: 'person', name: 'you' })).toMatch(/^https:\/\/desk\.example:\d+\/#code=/);
    expect(await connects(host, port)).toBe(true);
    const ca = readFileSync(files.cert, 'utf8');
    const asked = async (name: string, headers: Record<string, string>, target = '/api/status/now') => {
      const sent = {
        ca,
        host,
        port,
        servername: 'desk.example',
        path: target,
        headers: { host: `${name}:${port}`, ...headers },
      };
      const { status, text } = await askTls(sent);
      return status === 200 ? 'ok' : JSON.parse(text).error.code;
    };
    expect(await asked('desk.example', headersOf(secret))).toBe('ok');
    expect(await asked(host, headersOf(secret))).toBe('ok');
    expect(await asked('desk.example', {})).toBe('unauthenticated');
    for (const name of ['evil.example', 'localhost', '127.0.0.1', 'desk.example.evil.example'])
      if (name !== host) expect(await asked(name, headersOf(secret)), name).toBe('foreign_host');
    const origin = (text: string) => asked('desk.example', { ...headersOf(secret), origin: text });
    expect(await origin(`https://desk.example:${port}`)).toBe('ok');
    for (const other of [`http://desk.example:${port}`, 'https://desk.example', server.address])
      expect(await origin(other), other).toBe('foreign_origin');
    if (OUTER !== undefined) {
      expect(await asked('desk.example', headersOf(TOKEN)), 'the token in the project').toBe('unauthenticated');
      // What is about the person is told on this machine alone, not even to the owner.
      const owner = headersOf(await add('own', 'owner'));
      expect(await asked('desk.example', owner, '/api/project/list')).toBe('forbidden');
      expect((await ask('/api/project/list', { headers: owner })).json()).toEqual({ projects: [], more: 0 });
    }
    await server.close();
    expect(await connects(host, port)).toBe(false);
  },
);

verifies('api.tokens', 'a cookie of the TLS address is for TLS alone', async () => {
  const files = selfSigned('DNS:desk.example');
  const port = await freePort();
  const { server } = await served({ listen: listenAddressOf({ address: `127.0.0.1:${port}`, ...files }) });
  const headers = { host: `desk.example:${port}`, origin: `https://desk.example:${port}`, ...json };
  const body = JSON.stringify({ code: server.loginCode({ kind: 'person', name: 'you' }) });
  const cookie = await new Promise((resolve, reject) => {
    const options = {
      ca: readFileSync(files.cert),
      host: '127.0.0.1',
      servername: 'desk.example',
      port,
      method: 'POST',
      agent: false,
    };
    const outgoing = request({ ...options, path: '/api/session', headers }, ({ headers: sent }) =>
      resolve(sent['set-cookie']?.[0]),
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
  expect(cookie).toMatch(/; Secure/);
  expect(cookie).toContain(`troupe_session_${port}=`);
});

verifies(
  'api.tokens',
  'a renewed certificate is taken without a restart; one that does not fit is reported and left',
  async () => {
    const files = selfSigned('DNS:desk.example');
    const port = await freePort();
    const reported: unknown[] = [];
    const listening = listenAddressOf({ address: `127.0.0.1:${port}`, ...files });
    const { beat } = await served({ listen: listening, report: (error) => reported.push(error) });
    const serial = async () => {
      const sent = {
        ca: '',
        host: '127.0.0.1',
        port,
        servername: 'desk.example',
        rejectUnauthorized: false,
        path: '/',
      };
      return (await askTls({ ...sent, headers: { host: `desk.example:${port}` } })).cert;
    };
    const first = await serial();
    const next = selfSigned('DNS:desk.example');
    copyFileSync(next.cert, files.cert); // its key comes a moment later
    beat();
    expect([reported.length, await serial()]).toEqual([1, first]);
    copyFileSync(next.key, files.key);
    beat();
    expect(reported).toHaveLength(1);
    expect(await serial()).not.toBe(first);
  },
);

verifies(
  'api.tokens',
  'an address beyond this machine without TLS, and files that do not serve, are refused with the way out',
  async () => {
    const files = selfSigned('DNS:desk.example');
    const refused = (address: string, given: { cert?: string; key?: string } = {}) => {
      try {
        return listenAddressOf({ address, ...given }).host;
      } catch (error) {
        message = (error as Error).message;
        return (error as { code: string }).code;
      }
    };
    let message = '';
    for (const address of ['0.0.0.0:8443', '[::]:8443', '192.0.2.1:80', 'desk.example:8443', '128.0.0.1:1'])
      expect(refused(address), address).toBe('listen_refused');
    for (const address of ['127.0.0.1:8443', '[::1]:8443', 'localhost:8443'])
      expect(refused(address), address).toBe(address.replace(/:8443$|[[\]]/g, ''));
    for (const address of ['8443', 'desk.example', 'http://desk.example:80', 'a b:1']) {
      expect(refused(address, files), address).toBe('usage');
      expect(message).toBe('--listen takes an address and a port.');
    }
    for (const port of ['0', '70000']) {
      expect(refused(`0.0.0.0:${port}`, files), port).toBe('usage');
      expect(message).toBe(`--listen takes a port from 1 to 65535, not ${port}: others must know it.`);
    }
    expect(refused('0.0.0.0:8443', { cert: files.cert })).toBe('usage');
    expect(refused('0.0.0.0:8443', { ...files, key: `${files.key}.none` })).toBe('certificate_unusable');
    expect(refused('0.0.0.0:8443', { cert: files.cert, key: selfSigned('DNS:desk.example').key })).toBe(
      'certificate_unusable',
    );
    for (const mode of [0o640, 0o604]) {
      chmodSync(files.key, mode);
      expect(refused('0.0.0.0:8443', files), mode.toString(8)).toBe('certificate_unusable');
    }
    chmodSync(files.key, 0o600);
    await expect(serve({ listen: { host: '0.0.0.0', port: 1 } }), 'whoever starts it').rejects.toMatchObject({
      code: 'listen_refused',
    });
    const taken = await served();
    const at = listenAddressOf({ address: `127.0.0.1:${taken.server.port}` });
    await expect(serve({ listen: at })).rejects.toMatchObject({ code: 'listen_refused' });
    expect(bearer.authorization).toContain(TOKEN);
    onTestFinished(() => taken.server.close());
  },
);
