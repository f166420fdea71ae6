import { X509Certificate } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, isIP, type Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { isLoopback } from '#kernel/loopback.js';
import type { Every } from './events.js';

/** An address at which the server is reached. */
export interface Front {
  readonly scheme: 'http' | 'https';
  readonly port: number;
  /** Address of the server by this front: holds no secret. */
  readonly address: string;
  /** Whether a Host header names this server. */
  isOurs(host: string): boolean;
}

/** A certificate and its key, in PEM format. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** An address to listen at, beside the own one of this machine. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** Required unless the host is a loopback address. Read again when `renewed` says so. */
  readonly certificate?: { read(): Certificate; renewed(): boolean };
}

/** The front by which a connection came in. Errors: `foreign_host`. */
export function frontOf(fronts: readonly Front[], { localPort }: Pick<Socket, 'localPort'>): Front {
  const front = fronts.find(({ port }) => port === localPort);
  if (front === undefined) throw new TroupeError('foreign_host');
  return front;
}

/** The front of this machine alone. */
export function loopbackFront(port: number): Front {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  return { scheme: 'http', port, address: `http://${hosts[0]}`, isOurs: (host) => hosts.includes(host) };
}

/** The front of a further address. With a certificate, the server answers to the names in it, and to no others. */
function furtherFront(host: string, port: number, names: () => X509Certificate | undefined): Front {
  const named = isIP(host) === 6 ? `[${host}]` : host;
  const certificate = names();
  if (certificate === undefined) {
    const hosts = [`${named}:${port}`, `localhost:${port}`];
    return { scheme: 'http', port, address: `http://${hosts[0]}`, isOurs: (asked) => hosts.includes(asked) };
  }
  const isEvery = host === '0.0.0.0' || host === '::';
  const shown = isEvery ? (/(?:DNS|IP Address):([^,\s*]+)/.exec(certificate.subjectAltName ?? '')?.[1] ?? host) : named;
  return {
    scheme: 'https',
    port,
    address: `https://${shown}:${port}`,
    isOurs: (asked) => {
      const [, name = '', given = '443'] = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(asked) ?? [];
      const plain = name.replace(/^\[(.*)\]$/, '$1');
      if (Number(given) !== port || plain === '') return false;
      return (isIP(plain) === 0 ? names()?.checkHost(plain) : names()?.checkIP(plain)) !== undefined;
    },
  };
}

const OLDEST_TLS = 'TLSv1.2';

/** Limits in bytes and milliseconds. Defaults: `SURFACE_LIMITS`. */
export interface HttpLimits {
  readonly bodyBytes: number;
  readonly headersMs: number;
  readonly requestMs: number;
  readonly connections: number;
}

/** A server that is not listening yet; with a certificate, of TLS. */
export function nodeServer(
  answer: Parameters<typeof createServer>[1],
  limits: Partial<HttpLimits>,
  certificate?: Certificate,
): Server {
  const headersTimeout = limits.headersMs ?? SURFACE_LIMITS.httpHeadersMs;
  const options = {
    maxHeaderSize: SURFACE_LIMITS.httpHeaderBytes,
    headersTimeout,
    requestTimeout: limits.requestMs ?? SURFACE_LIMITS.httpRequestMs,
    keepAliveTimeout: SURFACE_LIMITS.httpKeepAliveMs,
    connectionsCheckingInterval: Math.max(50, Math.floor(headersTimeout / 4)),
    requireHostHeader: true,
  };
  const server =
    certificate === undefined
      ? createServer(options, answer)
      : createTlsServer(
          { ...options, ...certificate, minVersion: OLDEST_TLS, handshakeTimeout: headersTimeout },
          answer,
        );
  server.maxConnections = limits.connections ?? SURFACE_LIMITS.httpConnections;
  return server;
}

/** Listens on the given port, or on any free one if it is taken or not permitted. Returns the port. */
export async function listenOnPortOrFree(server: Server, port: number): Promise<number> {
  try {
    return await listening(server, '127.0.0.1', port);
  } catch (error) {
    const unavailable = ['EADDRINUSE', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '');
    if (!unavailable || port === 0) throw error;
    return await listening(server, '127.0.0.1', 0);
  }
}

/** Refuses an address that others reach too, unless TLS protects it. Errors: `listen_refused`. */
export function refuseUnprotected({ host, certificate }: ListenAddress): void {
  if (certificate !== undefined || host === 'localhost' || isLoopback(host)) return;
  throw new TroupeError('listen_refused', {
    what: `${host} is not of this machine alone, so it needs TLS.`,
    hint: 'Name the files of a certificate with --tls-cert and --tls-key, or listen at 127.0.0.1.',
  });
}

/** A listener at a further address. */
export interface FurtherListener {
  readonly server: Server;
  readonly front: Front;
  /** Ends the look-out for a renewed certificate. */
  stopLooking(): void;
}

/**
 * Listens at a further address. A renewed certificate is taken without a restart; one that cannot be used is reported,
 * and the present one stays. Errors: `listen_refused`.
 */
export async function listenFurther(
  answer: Parameters<typeof createServer>[1],
  at: ListenAddress,
  { limits, every, report }: { limits: Partial<HttpLimits>; every: Every; report: (error: unknown) => void },
): Promise<FurtherListener> {
  refuseUnprotected(at);
  const { host, certificate } = at;
  const present = certificate?.read();
  const server = nodeServer(answer, limits, present);
  let names = present && new X509Certificate(present.cert);
  const port = await listening(server, host, at.port).catch((error: NodeJS.ErrnoException) => {
    throw new TroupeError('listen_refused', {
      what: `Nothing can listen at ${host}:${at.port} (${error.code}).`,
      cause: error,
    });
  });
  const renew = () => {
    try {
      if (!certificate?.renewed() || !(server instanceof TlsServer)) return;
      const renewed = certificate.read();
      server.setSecureContext({ ...renewed, minVersion: OLDEST_TLS });
      names = new X509Certificate(renewed.cert);
    } catch (error) {
      report(error);
    }
  };
  const stopLooking = certificate === undefined ? () => undefined : every(SURFACE_LIMITS.certificateLookMs, renew);
  return { server, front: furtherFront(host, port, () => names), stopLooking };
}

function listening(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
