import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { S3Place } from '#adapters/workers/s3-place.js';

/** Number of names per page of a list. */
const PAGE = 3;
const KEYS = { accessKeyId: 'AKIAROOM', secretAccessKey: 'not/a+secret' };
const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest('hex');
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest();

/** An object store on this machine that accepts only requests signed with its key (signature version 4). */
export class S3Server {
  readonly objects = new Map<string, Buffer>();
  readonly place: S3Place;
  /** If set, answers all requests. */
  instead: ((request: IncomingMessage) => { status: number; body?: string } | 'nothing') | undefined;

  private constructor(port: number) {
    const origin = `http://127.0.0.1:${port}`;
    this.place = { bucket: 'outputs', prefix: 'team/', origin, region: 'eu-north-1', keys: KEYS };
  }

  static async open(): Promise<S3Server> {
    let server: S3Server | undefined;
    const http = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece) => pieces.push(piece));
      request.on('end', () => {
        const answer = server?.answer(request, Buffer.concat(pieces)) ?? 'nothing';
        if (answer === 'nothing') return;
        response.writeHead(answer.status).end(answer.body ?? '');
      });
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      http.closeAllConnections();
      http.close();
    });
    server = new S3Server((http.address() as AddressInfo).port);
    return server;
  }

  /** Environment variables with which a person reaches it. */
  get environment(): Record<string, string> {
    const { origin, region, keys } = this.place;
    return {
      ...{ AWS_ENDPOINT_URL_S3: origin, AWS_REGION: region },
      ...{ AWS_ACCESS_KEY_ID: keys.accessKeyId, AWS_SECRET_ACCESS_KEY: keys.secretAccessKey },
    };
  }

  private answer(request: IncomingMessage, body: Buffer): { status: number; body?: string | Buffer } | 'nothing' {
    if (this.instead) return this.instead(request);
    if (!isSigned(request, body)) return { status: 403, body: '<Error><Code>SignatureDoesNotMatch</Code></Error>' };
    const url = new URL(request.url ?? '/', this.place.origin);
    const [, bucket = '', ...rest] = decodeURIComponent(url.pathname).split('/');
    if (bucket !== this.place.bucket) return { status: 404, body: '<Error><Code>NoSuchBucket</Code></Error>' };
    const key = rest.join('/');
    if (request.method === 'PUT') this.objects.set(key, body);
    if (request.method === 'DELETE') this.objects.delete(key);
    if (request.method !== 'GET') return { status: request.method === 'PUT' ? 200 : 204 };
    if (url.searchParams.get('list-type') === '2') return { status: 200, body: this.list(url.searchParams) };
    const found = this.objects.get(key);
    return found ? { status: 200, body: found } : { status: 404, body: '<Error><Code>NoSuchKey</Code></Error>' };
  }

  private list(query: URLSearchParams): string {
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '')).sort();
    const rows = keys.slice(0, PAGE).map((key) => `<Contents><Key>${key}</Key></Contents>`);
    return `<?xml version="1.0"?><ListBucketResult>${rows.join('')}</ListBucketResult>`;
  }
}

/** Verifies a signature by the text of the standard, independent of the code that signs. */
function isSigned({ method, url = '/', headers }: IncomingMessage, body: Buffer): boolean {
  const found = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8}\/[^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
    headers.authorization ?? '',
  );
  const [, id, scope = '', names = '', signature] = found ?? [];
  const moment = String(headers['x-amz-date']);
  const [path = '', query = ''] = url.split('?');
  const canonical = [
    ...[method, path, query.split('&').sort().join('&')],
    ...names.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    ...['', names, headers['x-amz-content-sha256']],
  ].join('\n');
  const [day = '', region = '', service = '', kind = ''] = scope.split('/');
  const key = [region, service, kind].reduce(hmac, hmac(`AWS4${KEYS.secretAccessKey}`, day));
  const signed = hmac(key, ['AWS4-HMAC-SHA256', moment, scope, sha256(canonical)].join('\n')).toString('hex');
  const isOfBody = headers['x-amz-content-sha256'] === sha256(body);
  return (
    id === KEYS.accessKeyId && moment.startsWith(day) && isOfBody && names.includes('host') && signed === signature
  );
}
