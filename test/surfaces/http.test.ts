import { symlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import type { Caller } from '#ports/callers.js';
import { OWNER } from '../e2e/world.js';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import { bearer, connects, dashboardMemory, json, login, rawConversation, serve, TOKEN } from './http-client.js';

verifies('sec.bind', 'the server listens on loopback and on no other address of this machine', async () => {
  const { server } = await serve();
  const others = Object.values(networkInterfaces())
    .flat()
    .filter((spec) => spec !== undefined && !spec.internal && spec.family === 'IPv4')
    .map((spec) => spec?.address ?? '');
  expect(await connects('127.0.0.1', server.port)).toBe(true);
  for (const address of others) expect(await connects(address, server.port), address).toBe(false);
});

verifies('sec.token', 'without token and session 401, with a wrong token 401, with the token the answer', async () => {
  const { ask } = await serve();
  for (const target of ['/api/project', '/api/status/now', '/api/events?from=1', '/api/no/such']) {
    expect((await ask(target)).status, target).toBe(401);
    expect((await ask(target, { headers: { authorization: `Bearer ${TOKEN}x` } })).status, target).toBe(401);
    expect((await ask(`${target}${target.includes('?') ? '&' : '?'}token=${TOKEN}`)).status, target).toBe(401);
  }
  const answer = await ask('/api/project', { headers: bearer });
  expect(answer.json()).toEqual({
    project: { name: 'demo', folder: '/project' },
    engine: { state: 'running', running: 1, cap: 4, away: 0 },
    visitor: 'person',
  });
});

verifies('sec.token', 'a login code works once, for ten minutes, and the token stands in no address', async () => {
  const { server, own, ask } = await serve();
  expect(server.address).not.toContain(TOKEN);
  expect(server.loginAddress(OWNER)).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#code=[\w-]{43}$/);
  const attempt = (code: string) =>
    ask('/api/session', {
      method: 'POST',
      headers: { origin: server.address, ...json },
      body: JSON.stringify({ code }),
    });
  const code = server.loginCode(OWNER);
  const first = await attempt(code);
  expect(first.status).toBe(204);
  const cookie = String(first.headers['set-cookie']?.[0]);
  expect(cookie).toMatch(new RegExp(`^troupe_session_${server.port}=`));
  expect(cookie).toContain('HttpOnly');
  expect(cookie).toContain('SameSite=Strict');
  const second = await attempt(code);
  expect([second.status, second.json().error.code]).toEqual([401, 'login_code_invalid']);
  const late = server.loginCode(OWNER);
  own.pass(SURFACE_LIMITS.loginCodeMs);
  expect((await attempt(late)).status).toBe(401);
  expect((await attempt(TOKEN)).status).toBe(401);
});

verifies('sec.token', 'a session reads, ends after its time, and changes only from a page of ours', async () => {
  const { server, own, ask } = await serve();
  await own.add('a');
  const cookie = await login(server, ask);
  expect((await ask('/api/status/now', { headers: { cookie } })).status).toBe(200);
  const body = JSON.stringify({ id: 'a', title: 'b' });
  const bare = await ask('/api/task/rename', { method: 'POST', headers: { cookie, ...json }, body });
  expect([bare.status, bare.json().error.code]).toEqual([403, 'foreign_origin']);
  const ours = await ask('/api/task/rename', {
    method: 'POST',
    headers: { cookie, origin: server.address, ...json },
    body,
  });
  expect(ours.status).toBe(200);
  own.pass(SURFACE_LIMITS.sessionMs);
  expect((await ask('/api/status/now', { headers: { cookie } })).status).toBe(401);
});

verifies(
  'sec.doors',
  'a session acts for whom its link was made, and changes nothing where that one may only look',
  async () => {
    const callers: Caller[] = [];
    const call = async (_name: string, _input: unknown, caller: Caller) => void callers.push(caller);
    const { server, ask } = await serve({ call });
    const run: Caller = { kind: 'run', name: 'agent-1', taskId: 'a', fence: 1 };
    const body = JSON.stringify({ id: 'a', title: 'b' });
    const rename = (cookie: string) =>
      ask('/api/task/rename', { method: 'POST', headers: { cookie, origin: server.address, ...json }, body });
    expect((await rename(await login(server, ask))).status).toBe(200);
    expect((await rename(await login(server, ask, run))).status).toBe(200);
    const looks = await login(server, ask, { ...OWNER, scope: 'observer' });
    expect((await rename(looks)).json().error.code).toBe('forbidden');
    expect((await ask('/api/status/now', { headers: { cookie: looks } })).status).toBe(200);
    expect(callers).toEqual([OWNER, run, { ...OWNER, scope: 'observer' }]);
    const visitor = async (holder: Parameters<typeof login>[2]) =>
      (await ask('/api/project', { headers: { cookie: await login(server, ask, holder) } })).json().visitor;
    expect(await visitor(OWNER)).toBe('person');
    expect(await visitor({ ...OWNER, scope: 'observer' })).toBe('observer');
    expect(await visitor(run)).toBe('run');
  },
);

verifies('sec.doors', 'only a person steers the service from a page, and no page starts one', async () => {
  const { server, ask, own } = await serve();
  const run: Caller = { kind: 'run', name: 'agent-1', taskId: 'a', fence: 1 };
  const say = (cookie: string, verb: string, method = 'POST') =>
    ask(`/api/service/${verb}`, {
      method,
      headers: { cookie, origin: server.address, ...json },
      ...(method === 'GET' ? {} : { body: '{}' }),
    });
  const mine = await login(server, ask);
  const refused = async (answer: ReturnType<typeof say>) => (await answer).json().error.code;
  expect(await refused(say(await login(server, ask, run), 'stop'))).toBe('not_yours');
  expect(await refused(say(await login(server, ask, { ...OWNER, scope: 'observer' }), 'stop'))).toBe('forbidden');
  expect(await refused(say(mine, 'start'))).toBe('unknown_route');
  expect((await say(mine, 'stop', 'GET')).status).toBeGreaterThanOrEqual(400);
  expect(own.steered).toEqual([]);
  expect((await say(mine, 'pause')).status).toBe(200);
  expect(own.steered).toEqual(['pause']);
});

verifies('sec.doors', 'who logs out has no session any more; all can be logged out at once', async () => {
  const { server, ask } = await serve();
  const looks = async (cookie: string) => (await ask('/api/status/now', { headers: { cookie } })).status;
  const [mine, other] = [await login(server, ask), await login(server, ask)];
  const out = { method: 'DELETE', headers: { cookie: mine, origin: server.address } };
  expect((await ask('/api/session', { ...out, headers: { cookie: mine } })).status, 'from a page of ours').toBe(403);
  const answer = await ask('/api/session', out);
  expect([answer.status, String(answer.headers['set-cookie']?.[0])]).toEqual([
    204,
    expect.stringContaining('Max-Age=0'),
  ]);
  expect([await looks(mine), await looks(other)]).toEqual([401, 200]);
  const code = server.loginCode(OWNER);
  server.endSessions();
  expect(await looks(other)).toBe(401);
  const late = { method: 'POST', headers: { origin: server.address, ...json }, body: JSON.stringify({ code }) };
  expect((await ask('/api/session', late)).status, 'a link that was not used yet').toBe(401);
});

verifies('sec.host', 'foreign Host and foreign Origin are refused everywhere, with and without the token', async () => {
  const { server, ask } = await serve();
  const hosts = [
    'evil.example',
    `evil.example:${server.port}`,
    '127.0.0.1',
    `127.0.0.1:${server.port + 1}`,
    `127.0.0.1.evil.example:${server.port}`,
    '[::1]',
  ];
  const origins = [
    'http://evil.example',
    'null',
    `https://127.0.0.1:${server.port}`,
    `http://127.0.0.1:${server.port + 1}`,
    `${server.address}.evil.example`,
  ];
  for (const target of ['/', '/api/project', '/api/events?from=1']) {
    for (const host of hosts) {
      const answer = await ask(target, { headers: { ...bearer, host } });
      expect([answer.status, answer.json().error.code], `${target} ${host}`).toEqual([403, 'foreign_host']);
    }
    for (const origin of origins) {
      const answer = await ask(target, { headers: { ...bearer, origin } });
      expect([answer.status, answer.json().error.code], `${target} ${origin}`).toEqual([403, 'foreign_origin']);
    }
  }
  expect((await ask('/api/project', { headers: { ...bearer, origin: server.address } })).status).toBe(200);
  expect((await ask('/api/project', { headers: { ...bearer, host: `localhost:${server.port}` } })).status).toBe(200);
});

verifies('sec.host', 'a page on another port of this machine is told apart although cookies are not', async () => {
  const { server, ask } = await serve();
  const cookie = await login(server, ask);
  for (const site of ['same-site', 'cross-site']) {
    expect((await ask('/api/status/now', { headers: { cookie, 'sec-fetch-site': site } })).status, site).toBe(403);
  }
  expect((await ask('/api/status/now', { headers: { cookie, 'sec-fetch-site': 'same-origin' } })).status).toBe(200);
});

verifies('sec.host', 'a login needs our Origin and JSON; a preflight grants nothing', async () => {
  const { server, ask } = await serve();
  const body = JSON.stringify({ code: server.loginCode(OWNER) });
  expect((await ask('/api/session', { method: 'POST', headers: json, body })).status).toBe(403);
  const plain = { origin: server.address, 'content-type': 'text/plain' };
  expect((await ask('/api/session', { method: 'POST', headers: plain, body })).status).toBe(415);
  const preflight = await ask('/api/task/rename', {
    method: 'OPTIONS',
    headers: { origin: 'http://evil.example', 'access-control-request-method': 'POST' },
  });
  expect(preflight.status).toBe(403);
  const answers = [preflight, await ask('/'), await ask('/api/project', { headers: bearer })];
  for (const answer of answers) {
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
});

verifies(
  'sec.host',
  'no change by GET, no read by POST, no change without JSON, nothing beside the table',
  async () => {
    const { own, ask } = await serve();
    await own.add('a');
    const get = await ask('/api/task/rename?id=a&title=b', { headers: bearer });
    expect([get.status, get.headers.allow]).toEqual([405, 'POST']);
    for (const method of ['PUT', 'DELETE', 'PATCH', 'HEAD']) {
      expect((await ask('/api/task/rename?id=a&title=b', { method, headers: bearer })).status, method).toBe(405);
    }
    expect((await ask('/api/status/now', { method: 'POST', headers: { ...bearer, ...json }, body: '{}' })).status).toBe(
      405,
    );
    const form = { ...bearer, 'content-type': 'application/x-www-form-urlencoded' };
    expect((await ask('/api/task/rename', { method: 'POST', headers: form, body: 'id=a&title=b' })).status).toBe(415);
    expect((await own.store.view()).task('a')?.title).toBe('a');
    for (const target of [
      '/api/work/long',
      '/api/status',
      '/api/__proto__',
      '/api/status/now/',
      '/api/call',
      '/api/',
    ]) {
      expect((await ask(target, { headers: bearer })).status, target).toBe(404);
    }
  },
);

verifies('sec.host', 'an upgrade is answered like any request: it opens no other door', async () => {
  const { ask } = await serve();
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket' };
  expect((await ask('/api/events?from=1', { headers: upgrade })).status).toBe(401);
  expect((await ask('/api/events?from=1', { headers: { ...upgrade, ...bearer, host: 'evil.example' } })).status).toBe(
    403,
  );
});

verifies('sec.csp', 'pages, answers and refusals carry the strict policy and its companions', async () => {
  const { ask } = await serve();
  const answers = [
    await ask('/'),
    await ask('/assets/main-abc.js'),
    await ask('/api/project'),
    await ask('/nothing'),
    await ask('/', { headers: { host: 'x' } }),
  ];
  for (const { headers } of answers) {
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*|data:|blob:/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['x-frame-options']).toBe('DENY');
  }
  expect(answers[0]?.headers['content-type']).toBe('text/html; charset=utf-8');
  expect((await ask('/api/project', { headers: bearer })).headers['cache-control']).toBe('no-store');
});

verifies('sec.limits', 'a body over the limit is refused whether it says its size or not', async () => {
  const { ask } = await serve({ limits: { bodyBytes: 1_000 } });
  const body = JSON.stringify({ id: 'a', title: 'x'.repeat(2_000) });
  const said = await ask('/api/task/rename', { method: 'POST', headers: { ...bearer, ...json }, body });
  expect([said.status, said.json().error.code]).toEqual([413, 'too_large']);
  const chunked = { ...bearer, ...json, 'transfer-encoding': 'chunked' };
  expect((await ask('/api/task/rename', { method: 'POST', headers: chunked, body })).status).toBe(413);
  const long = await ask(`/api/project?x=${'y'.repeat(SURFACE_LIMITS.httpHeaderBytes)}`, { headers: bearer });
  expect(long.status).toBe(431);
});

verifies('sec.limits', 'a client that sends its headers or its body too slowly is cut off', async () => {
  const { server } = await serve({ limits: { headersMs: 200, requestMs: 400 } });
  const headers = await rawConversation(server.port, `GET / HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n`);
  expect(headers).toMatch(/^HTTP\/1\.1 408/);
  const body = await rawConversation(
    server.port,
    `POST /api/task/rename HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{`,
  );
  expect(body).not.toMatch(/^HTTP\/1\.1 200/);
});

verifies('sec.limits', 'connections have a limit', async () => {
  const { server, ask } = await serve({ limits: { connections: 2 } });
  const held = [connect(server.port, '127.0.0.1'), connect(server.port, '127.0.0.1')];
  for (const socket of held) onTestFinished(() => void socket.destroy());
  await Promise.all(held.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
  await expect(ask('/')).rejects.toThrow();
});

verifies(
  ['sec.limits', 'sec.path.escape'],
  'no address leaves the folder of the dashboard, however it is written',
  async () => {
    const { server, ask } = await serve();
    const targets = [
      '/../../../../etc/passwd',
      '/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
      '/%2e%2e%2fetc%2fpasswd',
      '/..%5c..%5cetc%5cpasswd',
      '//etc/passwd',
      '/assets/../notes.txt',
      '/assets/%2e%2e/notes.txt',
      '/notes.txt',
      '/assets',
      '/assets/',
      '/index.html%00.txt',
      '/%',
      '/%ff',
      '/api/../notes.txt',
    ];
    for (const target of targets) {
      const answer = await rawConversation(
        server.port,
        `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nConnection: close\r\n\r\n`,
      );
      expect(answer, target).toMatch(/^HTTP\/1\.1 40[14]/);
      expect(answer, target).not.toMatch(/root:|not for the web/);
    }
    expect((await ask('/assets/main-abc.js')).headers['cache-control']).toContain('immutable');
  },
);

test('a link in the folder of the dashboard is followed only to where the build put it: at the start', async () => {
  const webFolder = room('linked');
  const { ask } = await serve({ webFolder });
  symlinkSync('/etc/passwd', path.join(webFolder, 'late.html'));
  expect((await ask('/late.html')).status).toBe(404);
  const page = await ask('/');
  expect([page.status, page.json().error.message]).toEqual([404, 'The dashboard is not built.']);
});

test('a page that the browser has is not sent again', async () => {
  const { ask } = await serve();
  const first = await ask('/');
  const again = await ask('/', { headers: { 'if-none-match': String(first.headers.etag) } });
  expect([again.status, again.text]).toEqual([304, '']);
});

test('input is parsed by the schema of the operation: queries take the type their spec says', async () => {
  const { own, ask } = await serve();
  for (const id of ['a', 'b', 'c']) await own.add(id);
  const limited = await ask('/api/graph/picture?limit=2', { headers: bearer });
  expect(limited.json()).toMatchObject({ total: 3, left_out: 1 });
  const wrong = await ask('/api/graph/picture?limit=many', { headers: bearer });
  expect(wrong.status).toBe(400);
  expect(wrong.json().error).toMatchObject({ code: 'bad_input', details: { issues: [{ field: 'limit' }] } });
  const polluted = await ask('/api/task/rename', {
    method: 'POST',
    headers: { ...bearer, ...json },
    body: '{"__proto__":{"id":"a"},"title":"x"}',
  });
  expect(polluted.status).toBe(400);
});

test('errors keep their code, sentence and hint; a bug of ours is reported and shows nothing', async () => {
  const bugs: unknown[] = [];
  const { ask, own } = await serve({
    report: (error) => bugs.push(error),
    call: async (name, input) => {
      if (name === 'status.now') throw new Error('secret inside');
      return own.call(name, input);
    },
  });
  const missing = await ask('/api/task/output?id=nope', { headers: bearer });
  expect(missing.status).toBe(404);
  expect(missing.json().error).toMatchObject({
    code: 'unknown_task',
    message: 'There is no task nope.',
    hint: expect.any(String),
    details: { id: 'nope' },
  });
  const bug = await ask('/api/status/now', { headers: bearer });
  expect([bug.status, bug.text.includes('secret inside'), bugs.length]).toEqual([500, false, 1]);
});

verifies(
  'ui.web.room',
  'a dashboard comes back at its port and knows its browsers; a port that is taken is not waited for',
  async () => {
    const memory = dashboardMemory();
    const first = await serve({ memory });
    const { port } = first.server;
    const cookie = await login(first.server, first.ask);
    await first.server.close();
    const second = await serve({ memory });
    expect(second.server.port).toBe(port);
    expect((await second.ask('/api/project', { headers: { cookie } })).status).toBe(200);
    // Nothing of a secret is kept, and nothing for ever.
    expect(JSON.stringify(memory.kept)).not.toContain(cookie.split('=')[1]);
    second.own.pass(SURFACE_LIMITS.sessionMs);
    expect((await second.ask('/api/project', { headers: { cookie } })).status).toBe(401);
    const third = await serve({ memory: dashboardMemory({ port, sessions: [] }) });
    expect(third.server.port).not.toBe(port);
    second.server.endSessions();
    expect(memory.kept.sessions).toEqual([]);
  },
);
