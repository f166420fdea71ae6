import { TroupeError } from '#kernel/errors.js';
import { type JsonObject, parseJsonObject } from '#kernel/json.js';

/** The JSON object a request carries, `content_type`, `too_large` or `bad_input` otherwise. Reads at most `most` bytes. */
export async function jsonBody(request: Request, most: number): Promise<JsonObject> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new TroupeError('content_type');
  const said = Number(request.headers.get('content-length') ?? 0);
  if (said > most) throw tooLarge(most);
  const body = parseJsonObject(await textOf(request, most));
  if (body === undefined) throw new TroupeError('bad_input', { what: 'The body is not one JSON object.' });
  return body;
}

async function textOf(request: Request, most: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > most) throw tooLarge(most);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const tooLarge = (most: number) =>
  new TroupeError('too_large', { what: `The body is larger than ${most} bytes.`, hint: 'Send less at once.' });
