/** Loads node:crypto on demand. */
function crypto(): typeof import('node:crypto') {
  return process.getBuiltinModule('node:crypto');
}

/** Public ed25519 key: 32 bytes, URL-safe. */
export const PUBLIC_KEY = /^[A-Za-z0-9_-]{43}$/;

/** Creates a private key, as PEM text (PKCS #8, ed25519). */
export function freshPrivateKey(): string {
  const { privateKey } = crypto().generateKeyPairSync('ed25519');
  return String(privateKey.export({ format: 'pem', type: 'pkcs8' }));
}

/** Public key of a private key; undefined for anything but an ed25519 key. */
export function publicKeyOf(pem: string): string | undefined {
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

/** Whether a text was signed with the private key that belongs to `key`. False for an invalid key or signature. */
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
