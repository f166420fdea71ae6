import { AwsClient } from 'aws4fetch';
import { TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import type { BlobMark, Blobs, PutBlob } from '#ports/blobs.js';
import type { S3Place } from './s3-place.js';

interface S3Answer {
  readonly status: number;
  readonly bytes: Buffer;
}

/**
 * Blobs as objects `PREFIX FOLDER / HASH` of an S3-compatible store. Follows no redirects, contacts only that store.
 */
export class S3Blobs implements Blobs {
  private readonly place: S3Place;
  private readonly answerMs: number;
  private readonly client: AwsClient;

  /** `answerMs`: timeout of one request in milliseconds. */
  constructor(place: S3Place, answerMs: number = DATABASE_LIMITS.blobAnswerMs) {
    this.place = place;
    this.answerMs = answerMs;
    this.client = new AwsClient({ ...place.keys, region: place.region, service: 's3', retries: 0 });
  }

  async put(folder: string, bytes: Uint8Array): Promise<PutBlob> {
    const mark = { sha256: sha256(bytes), size: bytes.length };
    const { status, bytes: why } = await this.ask('PUT', this.keyOf(folder, mark), bytes);
    if (status >= 300) throw refused(status, why);
    return { mark };
  }

  async get(folder: string, mark: BlobMark): Promise<Uint8Array> {
    const { status, bytes } = await this.ask('GET', this.keyOf(folder, mark));
    if (status === 404 && codeIn(bytes) !== 'NoSuchBucket')
      throw new TroupeError('blob_missing', { details: { ...mark } });
    if (status >= 300) throw refused(status, bytes);
    if (bytes.length !== mark.size || sha256(bytes) !== mark.sha256)
      throw new TroupeError('blob_damaged', { details: { ...mark } });
    return bytes;
  }

  /** Deletes page by page until no object is left. */
  async removeFolder(folder: string): Promise<void> {
    const prefix = `${this.place.prefix}${folder}/`;
    const removed = new Set<string>();
    for (;;) {
      const { status, bytes } = await this.ask('GET', `?list-type=2&prefix=${encodeURIComponent(prefix)}`);
      if (status >= 300) throw refused(status, bytes);
      // Our object names contain no characters that XML escapes. A name outside of the folder is not ours to remove.
      const listed = [...bytes.toString('utf8').matchAll(/<Key>([^<&]+)<\/Key>/g)].map(([, key = '']) => key);
      const keys = listed.filter((key) => key.startsWith(prefix));
      if (keys.length === 0) return;
      if (keys.some((key) => removed.has(key)))
        throw new TroupeError('blobs_refused', { what: 'The object store still lists objects that it removed.' });
      for (const key of keys) {
        const answer = await this.ask('DELETE', `/${key}`);
        if (answer.status >= 300 && answer.status !== 404) throw refused(answer.status, answer.bytes);
        removed.add(key);
      }
    }
  }

  private keyOf(folder: string, { sha256: name }: BlobMark): string {
    return `/${this.place.prefix}${folder}/${name}`;
  }

  private async ask(method: string, path: string, payload: Uint8Array = new Uint8Array()): Promise<S3Answer> {
    const { origin, bucket } = this.place;
    try {
      const response = await this.client.fetch(`${origin}/${bucket}${path}`, {
        method,
        headers: { 'x-amz-content-sha256': sha256(payload) },
        redirect: 'manual',
        signal: AbortSignal.timeout(this.answerMs),
        ...(method === 'PUT' ? { body: Buffer.from(payload) } : {}),
      });
      return { status: response.status, bytes: await bytesIn(response) };
    } catch (error) {
      throw error instanceof TroupeError ? error : away(error, this.answerMs);
    }
  }
}

/** Reads a response up to the maximum size of a listing, regardless of the server's headers. */
async function bytesIn(response: Response): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.length;
    if (size > DATABASE_LIMITS.blobAnswerBytes)
      throw new TroupeError('blobs_refused', { what: 'The object store answers with more than was put there.' });
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function away(error: unknown, answerMs: number): TroupeError {
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  const cause = error instanceof Error ? (error.cause as { readonly code?: unknown } | undefined) : undefined;
  const why = isLate ? `no answer in ${Math.round(answerMs / 1_000)} s` : cause?.code;
  return new TroupeError('blobs_away', {
    ...(typeof why === 'string' ? { why } : {}),
    details: { retriable: true },
  });
}

/** Converts an error status; server errors count as unreachable. */
function refused(status: number, answer: Buffer): TroupeError {
  const code = codeIn(answer);
  const why = code === undefined ? `status ${status}` : `${code}, status ${status}`;
  if (status >= 500 || status === 429) return new TroupeError('blobs_away', { why, details: { retriable: true } });
  return new TroupeError('blobs_refused', { why });
}

function codeIn(answer: Buffer): string | undefined {
  return /<Code>([A-Za-z]{1,60})<\/Code>/.exec(answer.toString('utf8'))?.[1];
}
