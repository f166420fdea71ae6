/**
 * Loads node:crypto on demand: it costs two milliseconds, a tenth of a whole `troupe show`, and most commands do not
 * need it.
 */
function crypto(): typeof import('node:crypto') {
  return process.getBuiltinModule('node:crypto');
}

/** SHA-256 of UTF-8 text or bytes, as lower-case hexadecimal. */
export function sha256(text: string | Uint8Array): string {
  return crypto().hash('sha256', text, 'hex');
}

const ID_BYTES = 9;
/** Random bytes are requested for many ids at once, because the cost of a request hardly depends on its size. */
const IDS_AT_ONCE = 64;
let random = Buffer.alloc(0);

/** Unique id: 9 random bytes, URL-safe. Secrets need more bytes. */
export function freshId(): string {
  if (random.length === 0) random = crypto().randomBytes(ID_BYTES * IDS_AT_ONCE);
  const id = random.toString('base64url', 0, ID_BYTES);
  random = random.subarray(ID_BYTES);
  return id;
}
