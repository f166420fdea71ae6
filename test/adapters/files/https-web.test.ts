import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, createServer as createPlainServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { HttpsWeb, INTERNET, isPublicAddress, type Network, type Target } from '#adapters/files/https-web.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { verifies } from '../../verifies.js';

const PUBLIC = '93.184.216.34';
const MOST = { most: TEAM_LIMITS.skillBytes };
const refused = (code: string, words = '') =>
  expect.objectContaining({ code, message: expect.stringContaining(words) });

/** A server on loopback that stands for the internet: names resolve as told, and every connection ends here. */
async function internet(
  handler: RequestListener,
  names: Record<string, readonly string[]> = {},
  network: Partial<Network> = {},
) {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const targets: Target[] = [];
  const web = new HttpsWeb({
    resolve: async (hostname) => names[hostname] ?? [PUBLIC],
    connect: (target) => {
      targets.push(target);
      return connect((server.address() as AddressInfo).port, '127.0.0.1');
    },
    ...network,
  });
  return { web, targets };
}

const plain: RequestListener = (request, response) => {
  response.setHeader('content-type', 'text/markdown; charset=utf-8');
  response.end(`${request.method} ${request.url} ${request.headers.host}`);
};

verifies(
  ['skill.url', 'sec.ssrf'],
  'a text is fetched from the address that was looked at, under the name of its host',
  async () => {
    const { web, targets } = await internet(plain, { 'docs.example': ['2606:2800:220:1::1', PUBLIC] });
    expect(await web.text('https://docs.example/a/b?c=d#e', MOST)).toBe('GET /a/b?c=d docs.example');
    expect(await web.text('https://DOCS.example:8443/x', MOST)).toBe('GET /x docs.example:8443');
    expect(targets).toEqual([
      { address: PUBLIC, port: 443, hostname: 'docs.example' },
      { address: PUBLIC, port: 8443, hostname: 'docs.example' },
    ]);
  },
);

verifies('skill.url', 'only https, without names and passwords, and nothing else is tried', async () => {
  const { web, targets } = await internet(plain);
  for (const url of [
    ...['http://docs.example/', 'ftp://docs.example/', 'file:///etc/passwd', 'data:text/plain,hi', 'javascript:1'],
    ...['https://ann@docs.example/', 'https://ann:secret@docs.example/', 'https://', 'docs.example', ''],
    `https://docs.example/${'a'.repeat(2_000)}`,
  ]) {
    await expect(web.text(url, MOST), url).rejects.toThrow(refused('unsafe_url'));
  }
  expect(targets).toEqual([]);
});

const NOT_PUBLIC = [
  ...['127.0.0.1', '127.255.0.9', '0.0.0.0', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  ...['169.254.169.254', '100.64.0.1', '100.127.255.255', '192.0.0.8', '192.0.2.1', '198.18.0.1', '198.51.100.1'],
  ...['203.0.113.9', '224.0.0.1', '239.1.2.3', '240.0.0.1', '255.255.255.255', '192.88.99.1'],
  ...[
    '::1',
    '::',
    'fe80::1',
    'fe80::1%eth0',
    '2606:4700::1111%eth0',
    'fec0::1',
    'fc00::1',
    'fd12:3456::1',
    'ff02::1',
    '::ffff:127.0.0.1',
  ],
  ...['::ffff:10.0.0.1', '::ffff:93.184.216.34', '::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::1', '100::1'],
  ...['2001::1', '2001:db8::1', '2002:7f00:1::', '3fff::1', 'not-an-address', ''],
];

verifies(
  ['skill.url', 'sec.ssrf'],
  'an address is public or it is not asked: each kind, by name and as it stands',
  async () => {
    for (const address of NOT_PUBLIC) expect(isPublicAddress(address), address).toBe(false);
    for (const address of [
      PUBLIC,
      '1.1.1.1',
      '172.32.0.1',
      '100.128.0.1',
      '169.253.0.1',
      '2606:4700::1111',
      '2a00:1450::1',
    ])
      expect(isPublicAddress(address), address).toBe(true);
    const names = Object.fromEntries(NOT_PUBLIC.map((address, index) => [`n${index}.example`, [PUBLIC, address]]));
    const { web, targets } = await internet(plain, { ...names, 'empty.example': [] });
    for (const name of Object.keys(names))
      await expect(web.text(`https://${name}/`, MOST), names[name]?.[1]).rejects.toThrow(
        refused('unsafe_url', 'public'),
      );
    for (const host of [
      ...['127.0.0.1', '2130706433', '0x7f.1', '017700000001', '[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
      ...['169.254.169.254', '[fd00::1]', '10.1', '[::ffff:a00:1]'],
    ]) {
      await expect(web.text(`https://${host}/`, MOST), host).rejects.toThrow(refused('unsafe_url', 'public'));
    }
    await expect(web.text('https://empty.example/', MOST)).rejects.toThrow(refused('fetch_failed'));
    expect(targets).toEqual([]);
  },
);

verifies(['skill.url', 'sec.ssrf'], 'every redirect is looked at anew, and there are three at most', async () => {
  const go =
    (location: string): RequestListener =>
    (request, response) => {
      if (request.url?.startsWith('/end')) return plain(request, response);
      response
        .writeHead(302, { location: location.replace('N', String(Number(request.url?.slice(1) ?? 0) + 1)) })
        .end();
    };
  const names = { 'inside.example': ['10.0.0.1'] };
  const relative = await internet(go('/end'));
  expect(await relative.web.text('https://docs.example/0', MOST)).toBe('GET /end docs.example');
  const onward = await internet((request, response) => {
    if (request.url === '/3') return plain(request, response);
    response
      .writeHead(301, { location: `https://h${request.url?.slice(1)}.example/${Number(request.url?.slice(1)) + 1}` })
      .end();
  });
  expect(await onward.web.text('https://docs.example/0', MOST)).toBe('GET /3 h2.example');
  expect(onward.targets.map(({ hostname }) => hostname)).toEqual([
    'docs.example',
    'h0.example',
    'h1.example',
    'h2.example',
  ]);
  const endless = await internet(go('/N'));
  await expect(endless.web.text('https://docs.example/0', MOST)).rejects.toThrow(refused('fetch_failed', '3 times'));
  expect(endless.targets).toHaveLength(4);
  for (const location of [
    'http://docs.example/end',
    'https://inside.example/end',
    'https://127.0.0.1/',
    'file:///etc/passwd',
  ]) {
    const { web, targets } = await internet(go(location), names);
    await expect(web.text('https://docs.example/0', MOST), location).rejects.toThrow(refused('unsafe_url'));
    expect(targets, location).toHaveLength(1);
  }
  const nowhere = await internet(go('https://['));
  await expect(nowhere.web.text('https://docs.example/0', MOST)).rejects.toThrow(
    refused('fetch_failed', 'it redirects to an invalid address'),
  );
  const elsewhere = await internet(go('https://other.example/end'));
  await expect(elsewhere.web.text('https://docs.example/0', { ...MOST, hosts: ['docs.example'] })).rejects.toThrow(
    refused('unsafe_url', 'not an allowed host'),
  );
});

verifies('skill.url', 'hosts that were not allowed are not even looked up', async () => {
  const asked: string[] = [];
  const { web } = await internet(
    plain,
    {},
    {
      resolve: async (hostname) => {
        asked.push(hostname);
        return [PUBLIC];
      },
    },
  );
  await expect(web.text('https://docs.example/', { ...MOST, hosts: [] })).rejects.toThrow(refused('unsafe_url'));
  await expect(web.text('https://sub.docs.example/', { ...MOST, hosts: ['docs.example'] })).rejects.toThrow(
    refused('unsafe_url'),
  );
  expect(asked).toEqual([]);
  expect(await web.text('https://docs.example/', { ...MOST, hosts: ['Docs.Example'] })).toContain('GET /');
});

verifies(['skill.url', 'sec.ssrf'], 'an answer has to be text, of 256 KiB at most, however it is sent', async () => {
  const answers: Record<string, [Record<string, string>, string | Buffer]> = {
    '/html': [{ 'content-type': 'text/html' }, '<p>'],
    '/json': [{ 'content-type': 'application/json; charset="UTF-8"' }, '{}'],
    '/full': [{ 'content-type': 'text/plain' }, 'a'.repeat(TEAM_LIMITS.skillBytes)],
    '/over': [{ 'content-type': 'text/plain' }, 'a'.repeat(TEAM_LIMITS.skillBytes + 1)],
    '/picture': [{ 'content-type': 'image/png' }, 'x'],
    '/unsaid': [{}, 'x'],
    '/latin': [{ 'content-type': 'text/plain; charset=latin1' }, 'x'],
    '/bytes': [{ 'content-type': 'text/plain' }, Buffer.from([0x61, 0xe4])],
    '/zero': [{ 'content-type': 'text/plain' }, 'a\0b'],
    '/zip': [{ 'content-type': 'text/plain', 'content-encoding': 'gzip' }, gzipSync('a'.repeat(1_000_000))],
  };
  const { web } = await internet((request, response) => {
    const [headers, body] = answers[request.url ?? ''] ?? [{}, ''];
    expect(request.headers['accept-encoding']).toBe('identity');
    response.writeHead(request.url === '/gone' ? 404 : 200, headers);
    response.write(body); // in chunks, without a length
    response.end();
  });
  const get = (name: string) => web.text(`https://docs.example/${name}`, MOST);
  expect(await get('html')).toBe('<p>');
  expect(await get('json')).toBe('{}');
  expect(await get('full')).toHaveLength(TEAM_LIMITS.skillBytes);
  for (const name of ['over', 'picture', 'unsaid', 'latin', 'bytes', 'zero', 'zip', 'gone'])
    await expect(get(name), name).rejects.toThrow(refused('fetch_failed'));
  const said = await internet((_, response) =>
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '99999999' }).flushHeaders(),
  );
  await expect(said.web.text('https://docs.example/', MOST)).rejects.toThrow(refused('fetch_failed', 'larger'));
});

verifies(
  ['skill.url', 'sec.ssrf'],
  'whoever is slow is given up: in looking up, in answering, in sending, on the way',
  async () => {
    expect(INTERNET.timeoutMs).toBe(10_000);
    const timeoutMs = 50;
    const late = refused('fetch_failed', 'too long');
    const never = new Promise<readonly string[]>(() => undefined);
    const unresolved = await internet(plain, {}, { timeoutMs, resolve: () => never });
    await expect(unresolved.web.text('https://docs.example/', MOST)).rejects.toThrow(late);
    const silent = await internet(() => undefined, {}, { timeoutMs });
    await expect(silent.web.text('https://docs.example/', MOST)).rejects.toThrow(late);
    const dripping = await internet(
      (_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).write('a'),
      {},
      { timeoutMs },
    );
    await expect(dripping.web.text('https://docs.example/', MOST)).rejects.toThrow(late);
  },
);

test('a name that has no address, a refused connection and nonsense instead of HTTP are failures', async () => {
  const unknown = await internet(plain, {}, { resolve: () => Promise.reject(new Error('ENOTFOUND')) });
  await expect(unknown.web.text('https://docs.example/', MOST)).rejects.toThrow(
    refused('fetch_failed', 'cannot be resolved'),
  );
  const closed = await internet(plain, {}, { connect: () => connect(1, '127.0.0.1') });
  await expect(closed.web.text('https://docs.example/', MOST)).rejects.toThrow(refused('fetch_failed'));
  const server = createPlainServer((socket) => socket.end('SSH-2.0\r\n')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const port = (server.address() as AddressInfo).port;
  const nonsense = await internet(plain, {}, { connect: () => connect(port, '127.0.0.1') });
  await expect(nonsense.web.text('https://docs.example/', MOST)).rejects.toThrow(refused('fetch_failed'));
});

verifies(
  'skill.url',
  'the connection itself is TLS, asks for the host by name, and trusts no server without a certificate',
  async () => {
    let heard = Buffer.alloc(0);
    const server = createPlainServer((socket) => {
      socket
        .on('error', () => undefined)
        .once('data', (data) => {
          heard = data;
          socket.end('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\nhi');
        });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const port = (server.address() as AddressInfo).port;
    const web = new HttpsWeb({
      resolve: async () => [PUBLIC],
      connect: (target) => INTERNET.connect({ ...target, address: '127.0.0.1', port }),
    });
    await expect(web.text('https://docs.example/', MOST)).rejects.toThrow(refused('fetch_failed'));
    expect(heard[0]).toBe(0x16); // a TLS handshake
    expect(heard.toString('latin1')).toContain('docs.example');
  },
);

test('each network ends where it does', () => {
  const ends = [
    ...[
      ['9.255.255.255', '10.255.255.255', '11.0.0.0'],
      ['100.63.255.255', '100.127.255.255', '100.128.0.0'],
    ],
    ...[
      ['126.255.255.255', '127.255.255.255', '128.0.0.0'],
      ['169.253.255.255', '169.254.255.255', '169.255.0.0'],
    ],
    ...[
      ['172.15.255.255', '172.31.255.255', '172.32.0.0'],
      ['191.255.255.255', '192.0.0.255', '192.0.1.0'],
    ],
    ...[
      ['192.0.1.255', '192.0.2.255', '192.0.3.0'],
      ['192.88.98.255', '192.88.99.255', '192.88.100.0'],
    ],
    ...[
      ['192.167.255.255', '192.168.255.255', '192.169.0.0'],
      ['198.17.255.255', '198.19.255.255', '198.20.0.0'],
    ],
    ...[
      ['198.51.99.255', '198.51.100.255', '198.51.101.0'],
      ['203.0.112.255', '203.0.113.255', '203.0.114.0'],
    ],
    ...[
      ['1.0.0.0', '0.255.255.255', '1.0.0.0'],
      ['223.255.255.255', '224.0.0.0', '223.255.255.255'],
    ],
    ...[
      ['2000::1', '2001:1ff::1', '2001:200::1'],
      ['2001:db7::1', '2001:db8:ffff::1', '2001:db9::1'],
    ],
    ...[
      ['2001:ffff::1', '2002:ffff::1', '2003::1'],
      ['3ffe:ffff::1', '3fff:fff::1', '3fff:1000::1'],
    ],
    ...[
      ['3ffe::1', '4000::1', '3ffe::1'],
      ['2000::', '1fff::1', '2000::'],
    ],
  ];
  for (const [before = '', closed = '', after = ''] of ends)
    expect([isPublicAddress(before), isPublicAddress(closed), isPublicAddress(after)], closed).toEqual([
      ...[true, false, true],
    ]);
});

test('a name is resolved to all of its addresses', async () => {
  const addresses = await INTERNET.resolve('127.0.0.1');
  expect(addresses).toEqual(['127.0.0.1']);
});

test('each kind of redirect is followed, and nothing else that names a place', async () => {
  for (const status of [300, 301, 302, 303, 304, 305, 307, 308, 309]) {
    const { web } = await internet((request, response) =>
      request.url === '/end' ? plain(request, response) : void response.writeHead(status, { location: '/end' }).end(),
    );
    const said = await web.text('https://docs.example/', MOST).catch(({ code }) => code);
    const followed = [301, 302, 303, 307, 308].includes(status);
    expect(said, String(status)).toBe(followed ? 'GET /end docs.example' : 'fetch_failed');
  }
});

test('as much as may be is taken; what is refused says its kind, and the connection is ended', async () => {
  const full = await internet((_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '5' }).end('12345');
  });
  expect(await full.web.text('https://docs.example/', { most: 5 })).toBe('12345');
  await expect(full.web.text('https://docs.example/', { most: 4 })).rejects.toThrow(
    refused('fetch_failed', 'larger than 4'),
  );
  for (const [status, kind, words] of [
    [200, undefined, 'it is not text but of an unknown kind'],
    [200, 'image/png', 'it is not text but image/png'],
    [404, 'text/plain', 'it answers 404'],
  ] as const) {
    const closes: Promise<unknown>[] = [];
    const { web } = await internet((_, response) => {
      closes.push(once(response, 'close'));
      response.writeHead(status, kind === undefined ? {} : { 'content-type': kind }).write('half');
    });
    await expect(web.text('https://docs.example/', MOST), words).rejects.toThrow(refused('fetch_failed', words));
    expect(await Promise.all(closes)).toHaveLength(1);
  }
});
