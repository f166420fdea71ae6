/** Node's crypto costs two milliseconds to load, a tenth of a whole `troupe show`; most commands need none of it. */
function crypto(): typeof import('node:crypto') {
  return process.getBuiltinModule('node:crypto');
}

/** SHA-256 of UTF-8 text or bytes, as lower-case hex. */
export function sha256(text: string | Uint8Array): string {
  return crypto().createHash('sha256').update(text).digest('hex');
}

/** Text nobody else has: 9 random bytes, URL-safe. For ids; secrets take more. */
export function freshId(): string {
  return crypto().randomBytes(9).toString('base64url');
}
