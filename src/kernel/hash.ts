/** Node's crypto costs two milliseconds to load, a tenth of a whole `troupe show`; most commands need none of it. */
function crypto(): typeof import('node:crypto') {
  return process.getBuiltinModule('node:crypto');
}

/** SHA-256 of UTF-8 text or bytes, as lower-case hex. */
export function sha256(text: string | Uint8Array): string {
  return crypto().hash('sha256', text, 'hex');
}

const ID_BYTES = 9;
/** Asking the system for random bytes costs much the same however many they are. */
const IDS_AT_ONCE = 64;
let random = Buffer.alloc(0);

/** Text nobody else has: 9 random bytes, URL-safe. For ids; secrets take more. */
export function freshId(): string {
  if (random.length === 0) random = crypto().randomBytes(ID_BYTES * IDS_AT_ONCE);
  const id = random.toString('base64url', 0, ID_BYTES);
  random = random.subarray(ID_BYTES);
  return id;
}
