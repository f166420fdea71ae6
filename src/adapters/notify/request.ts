import http from 'node:http';
import https from 'node:https';
import { type JsonObject, parseJsonObject } from '#kernel/json.js';

export interface Answer {
  readonly status: number;
  readonly body: JsonObject | undefined;
}

/** One request with a JSON answer, bounded in size and time. Redirects are not followed: the token is for this place only. */
export function requestJson(
  url: URL,
  options: { method: 'GET' | 'PUT'; token: string; body?: JsonObject; timeMs: number; mostBytes: number },
): Promise<Answer> {
  const body = options.body === undefined ? undefined : JSON.stringify(options.body);
  return new Promise((resolve, reject) => {
    const client = url.protocol === 'https:' ? https : http;
    const request = client.request(url, {
      method: options.method,
      agent: false,
      headers: {
        authorization: `Bearer ${options.token}`,
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
          resolve({ status: response.statusCode ?? 0, body: parseJsonObject(Buffer.concat(parts).toString('utf8')) }),
        ),
      );
    });
    request.end(body);
  });
}
