import http from 'node:http';
import https from 'node:https';
import { TroupeError } from '#kernel/errors.js';
import { type JsonObject, parseJsonObject } from '#kernel/json.js';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Parses an address from `key`. Secrets are sent over TLS only, except to this machine. The address may be a secret
 * itself, so no error repeats it. Errors: `bad_config`.
 */
export function addressFrom(text: string, key: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const plain = url?.protocol === 'http:' && LOOPBACK.has(url.hostname);
  if (url && url.username === '' && url.password === '' && (url.protocol === 'https:' || plain)) return url;
  throw new TroupeError('bad_config', { what: `${key} must be an https:// address.` });
}

export interface JsonAnswer {
  readonly status: number | undefined;
  readonly body: JsonObject | undefined;
}

/**
 * Sends one request with a JSON answer, bounded in size and time. Redirects are not followed, because the token is for
 * this server only.
 */
export function requestJson(
  url: URL,
  options: {
    readonly method: 'GET' | 'PUT' | 'POST';
    readonly token?: string | undefined;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: JsonObject;
    readonly timeMs: number;
    readonly mostBytes: number;
    readonly signal?: AbortSignal;
  },
): Promise<JsonAnswer> {
  const body = options.body === undefined ? undefined : JSON.stringify(options.body);
  return new Promise((resolve, reject) => {
    const client = url.protocol === 'https:' ? https : http;
    const request = client.request(url, {
      method: options.method,
      agent: false,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      headers: {
        ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
        ...options.headers,
        accept: 'application/json',
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      },
    });
    const late = setTimeout(() => request.destroy(new Error('no answer in time')), options.timeMs);
    const end = (settle: () => void) => {
      clearTimeout(late);
      settle();
    };
    request.once('error', (error) => end(() => reject(error)));
    request.once('response', (response) => {
      const parts: Buffer[] = [];
      let bytes = 0;
      response.on('data', (part: Buffer) => {
        bytes += part.length;
        if (bytes > options.mostBytes) request.destroy(new Error('the answer is too large'));
        else parts.push(part);
      });
      response.once('error', (error) => end(() => reject(error)));
      response.once('end', () =>
        end(() =>
          resolve({ status: response.statusCode, body: parseJsonObject(Buffer.concat(parts).toString('utf8')) }),
        ),
      );
    });
    request.end(body);
  });
}
