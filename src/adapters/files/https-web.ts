import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { inSentence } from '#kernel/text.js';
import type { PublicWeb } from '#ports/prompt-sources.js';

/** Total time of one fetch in milliseconds, maximum redirects, and maximum characters of an address. */
const FETCH_MS = 10_000;
const REDIRECTS_MOST = 3;
const ADDRESS_CHARACTERS = 2_000;

/** Destination of a connection: this resolved address, even if the name resolves differently later. */
export interface Target {
  readonly address: string;
  readonly port: number;
  readonly hostname: string;
}

/** Network access, replaced in tests. */
export interface Network {
  resolve(hostname: string): Promise<readonly string[]>;
  connect(target: Target): Duplex;
  readonly timeoutMs: number;
}

/** The real network. */
export const INTERNET: Network = {
  resolve: async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address),
  connect: ({ address, port, hostname }) =>
    connectTls({
      host: address,
      port,
      ALPNProtocols: ['http/1.1'],
      ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
    }),
  timeoutMs: FETCH_MS,
};

const REDIRECTS: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308]);
const TEXT = /^(?:text\/[\w.+-]+|application\/(?:json|yaml|x-yaml|toml|xml|[\w.-]+\+(?:json|xml|yaml)))$/;

/**
 * Implements the PublicWeb port with Node's TLS and HTTP. Ignores proxies, because a proxy would resolve the address
 * itself.
 */
export class HttpsWeb implements PublicWeb {
  private readonly network: Network;

  constructor(network: Partial<Network> = {}) {
    this.network = { ...INTERNET, ...network };
  }

  async text(
    url: string,
    options: { readonly most: number; readonly hosts?: readonly string[] | undefined },
  ): Promise<string> {
    const signal = AbortSignal.timeout(this.network.timeoutMs);
    let next = url;
    for (let hop = 0; hop <= REDIRECTS_MOST; hop++) {
      const target = checkedUrl(next, options.hosts);
      const answer = await this.ask(target, signal);
      const { statusCode: status, headers } = answer;
      const { location } = headers;
      if (!REDIRECTS.has(status) || location === undefined) return await textOf(answer, options.most, signal);
      answer.destroy();
      if (!URL.canParse(location, target.href)) throw failed('it redirects to an invalid address');
      next = new URL(location, target).href;
    }
    throw failed(`it redirects more than ${REDIRECTS_MOST} times`);
  }

  private async ask(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
    const hostname = url.hostname.replace(/^\[|\]$/g, '');
    const address = await this.publicAddress(hostname, signal);
    const target = { address, port: url.port === '' ? 443 : Number(url.port), hostname };
    return await new Promise((resolve, reject) => {
      const stop = (error: Error) => reject(signal.aborted ? tooSlow() : failed(error.message));
      const socket = this.network.connect(target);
      socket.once('error', stop); // the connection may be refused before the request listens
      const outgoing = request({
        createConnection: () => socket,
        path: `${url.pathname}${url.search}`,
        headers: {
          host: url.host,
          accept: 'text/*, application/json, application/yaml',
          'accept-encoding': 'identity',
          connection: 'close',
          'user-agent': 'troupe',
        },
        maxHeaderSize: SURFACE_LIMITS.httpHeaderBytes,
        signal,
      });
      outgoing.once('response', resolve);
      outgoing.on('error', stop);
      outgoing.end();
    });
  }

  /**
   * Resolves a name to one address. All its addresses must be public, because the next lookup could return a different
   * one of them. Errors: `unsafe_url`, `fetch_failed`.
   */
  private async publicAddress(hostname: string, signal: AbortSignal): Promise<string> {
    const addresses = isIP(hostname) === 0 ? await this.resolved(hostname, signal) : [hostname];
    const closed = addresses.find((address) => !isPublicAddress(address));
    if (closed !== undefined)
      throw unsafe(`${printable(hostname)} is ${printable(closed)}, which is not a public address`);
    const [first] = addresses.toSorted((one, other) => isIP(one) - isIP(other));
    if (first === undefined) throw failed(`${printable(hostname)} has no address`);
    return first;
  }

  private async resolved(hostname: string, signal: AbortSignal): Promise<readonly string[]> {
    signal.throwIfAborted();
    let giveUp = (): void => undefined;
    const late = new Promise<never>((_, reject) => {
      giveUp = () => reject(tooSlow());
      signal.addEventListener('abort', giveUp, { once: true });
    });
    try {
      return await Promise.race([this.network.resolve(hostname), late]);
    } catch (error) {
      throw error instanceof TroupeError ? error : failed(`${printable(hostname)} cannot be resolved`);
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }
}

function checkedUrl(text: string, hosts: readonly string[] | undefined): URL {
  if (text.length > ADDRESS_CHARACTERS || !URL.canParse(text)) throw unsafe('it is not an address');
  const url = new URL(text);
  if (url.protocol !== 'https:') throw unsafe('only https is allowed');
  if (url.username !== '' || url.password !== '') throw unsafe('it contains a name or a password');
  if (hosts && !hosts.some((host) => host.toLowerCase() === url.hostname)) {
    throw unsafe(`${printable(url.hostname)} is not an allowed host`);
  }
  return url;
}

async function textOf(answer: IncomingMessage, most: number, signal: AbortSignal): Promise<string> {
  try {
    if (answer.statusCode !== 200) throw failed(`it answers ${answer.statusCode}`);
    checkKind(answer);
    if (Number(answer.headers['content-length'] ?? 0) > most) throw failed(`it is larger than ${most} bytes`);
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > most) throw failed(`it is larger than ${most} bytes`);
      chunks.push(chunk);
    }
    return decoded(Buffer.concat(chunks));
  } catch (error) {
    if (signal.aborted) throw tooSlow();
    throw error instanceof TroupeError ? error : failed((error as Error).message);
  } finally {
    answer.destroy();
  }
}

function checkKind({ headers }: IncomingMessage): void {
  const [kind = '', ...parameters] = (headers['content-type'] ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  if (!TEXT.test(kind)) throw failed(`it is not text but ${kind === '' ? 'of an unknown kind' : printable(kind)}`);
  const charset = parameters.find((part) => part.startsWith('charset='))?.slice('charset='.length);
  if (charset !== undefined && !/^"?(?:utf-?8|us-ascii)"?$/.test(charset)) throw failed('it is not UTF-8');
  const coding = headers['content-encoding'];
  if (coding !== undefined && coding !== 'identity') throw failed('it is compressed, which was not requested');
}

function decoded(bytes: Buffer): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw failed('it is not UTF-8');
  }
  if (text.includes('\0')) throw failed('it is not text');
  return text;
}

function unsafe(why: string): TroupeError {
  return new TroupeError('unsafe_url', { what: `The address is not fetched: ${why}.` });
}

function failed(why: string): TroupeError {
  return new TroupeError('fetch_failed', { what: `No text could be fetched: ${printable(why)}.` });
}

function tooSlow(): TroupeError {
  return failed('it takes too long');
}

function printable(text: string): string {
  return inSentence(text);
}

/**
 * IPv4 ranges that are not public: this host, private and shared (carrier) networks, loopback, link-local, test,
 * multicast and reserved ranges.
 */
const NOT_PUBLIC_4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

/** The public IPv6 range, and exceptions in it: ranges that embed an IPv4 address or are for documentation. */
const PUBLIC_6 = ['2000::', 3] as const;
const NOT_PUBLIC_6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const closed4 = listOf(NOT_PUBLIC_4, 'ipv4');
const closed6 = listOf(NOT_PUBLIC_6, 'ipv6');
const open6 = listOf([PUBLIC_6], 'ipv6');

/** Whether this is a public internet address. False if it is not an address. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !closed4.check(address, 'ipv4');
    case 6:
      return !address.includes('%') && open6.check(address, 'ipv6') && !closed6.check(address, 'ipv6');
    default:
      return false;
  }
}

function listOf(subnets: readonly (readonly [string, number])[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const [network, bits] of subnets) list.addSubnet(network, bits, family);
  return list;
}
