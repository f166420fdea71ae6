/** Node's crypto, loaded by whoever signs or checks. */
function crypto(): typeof import('node:crypto') {
  return process.getBuiltinModule('node:crypto');
}

/** The public half of an ed25519 key: 32 bytes, URL-safe. */
export const PUBLIC_KEY = /^[A-Za-z0-9_-]{43}$/;

/** A new private key, as PEM text (PKCS #8, ed25519). */
export function freshPrivateKey(): string {
  const { privateKey } = crypto().generateKeyPairSync('ed25519');
  return String(privateKey.export({ format: 'pem', type: 'pkcs8' }));
}

/** The public half of a private key; undefined for what is no ed25519 key. */
export function publicHalf(pem: string): string | undefined {
  try {
    const key = crypto().createPublicKey(pem);
    return key.asymmetricKeyType === 'ed25519' ? key.export({ format: 'jwk' }).x : undefined;
  } catch {
    return undefined;
  }
}

export function signatureOf(text: string, pem: string): string {
  return crypto().sign(null, Buffer.from(text), pem).toString('base64url');
}

/** Whether a text was signed with the private half of a key. What is no key, or no signature, has signed nothing. */
export function isSignedBy(text: string, key: string, signature: string): boolean {
  if (!PUBLIC_KEY.test(key)) return false;
  try {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: key };
    const known = crypto().createPublicKey({ key: jwk, format: 'jwk' });
    return crypto().verify(null, Buffer.from(text), known, Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
}
