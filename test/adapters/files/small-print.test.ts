import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { HttpsWeb } from '#adapters/files/https-web.js';

const MOST = { most: 100 };

/** A server on loopback that stands for every public address. */
async function internet(handler: RequestListener): Promise<HttpsWeb> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return new HttpsWeb({
    resolve: async () => ['93.184.216.34'],
    connect: () => connect((server.address() as AddressInfo).port, '127.0.0.1'),
  });
}

/** What came of asking for an address: the text, or the refusal as it is said. */
const said = (web: HttpsWeb, url: string, options: Parameters<HttpsWeb['text']>[1] = MOST) =>
  web.text(url, options).catch((error: Error) => error.message);
const fetched = (why: string) => `No text could be fetched: ${why}.`;

test('which answers are taken as text, by what they say of themselves', async () => {
  let headers: Record<string, string> = {};
  const web = await internet((_, response) => response.writeHead(200, headers).end('hi'));
  const answers: [string, string | undefined, string][] = [
    ['text/plain', undefined, 'hi'],
    ['text/plain', 'identity', 'hi'],
    ['text/plain', 'gzip', fetched('it is compressed, which was not requested')],
    ['text/plain; format=flowed', undefined, 'hi'],
    ['text/plain; format=flowed; charset=utf8', undefined, 'hi'],
    ['text/plain; format=flowed; charset=latin1', undefined, fetched('it is not UTF-8')],
    ['Text/Plain ; Charset="US-ASCII"', undefined, 'hi'],
    ['application/ld+json', undefined, 'hi'],
    ['application/pdf', undefined, fetched('it is not text but application/pdf')],
    ['application/json5', undefined, fetched('it is not text but application/json5')],
    [' ', undefined, fetched('it is not text but of an unknown kind')],
  ];
  for (const [kind, coding, expected] of answers) {
    headers = { 'content-type': kind, ...(coding === undefined ? {} : { 'content-encoding': coding }) };
    expect(await said(web, 'https://docs.example/'), `${kind} ${coding}`).toBe(expected);
  }
});

test('an address has so many characters, and what is said of it is cut', async () => {
  const web = await internet((_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('hi'));
  const address = 'https://docs.example/'.padEnd(2_000, 'a');
  expect(await said(web, address)).toBe('hi');
  expect(await said(web, `${address}a`)).toBe('The address is not fetched: it is not an address.');
  const host = 'h'.repeat(300);
  expect(await said(web, `https://${host}/`, { ...MOST, hosts: ['docs.example'] })).toBe(
    `The address is not fetched: ${'h'.repeat(199)}… is not an allowed host.`,
  );
});

test('of an answer that leads elsewhere nothing more is read', async () => {
  const closes: Promise<unknown>[] = [];
  const web = await internet((request, response) => {
    if (request.url === '/end') return void response.writeHead(200, { 'content-type': 'text/plain' }).end('hi');
    closes.push(once(response, 'close'));
    response.writeHead(302, { location: '/end' }).write('half'); // and never ends
  });
  expect(await said(web, 'https://docs.example/')).toBe('hi');
  expect(await Promise.all(closes)).toHaveLength(1);
});
