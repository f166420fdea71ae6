import { sealedWords } from '#kernel/sealed-words.js';
import { freshPrivateKey, publicKeyOf, signatureOf } from '#kernel/signature.js';
import type { LeaderSeal } from '#ports/leader-seal.js';

/** The seal of a leader of a project, with a key of its own. */
export function sealFor(project: string, name = 'ann'): LeaderSeal {
  const pem = freshPrivateKey();
  const key = publicKeyOf(pem) ?? '';
  return {
    card: { key, name, at: 'laptop' },
    seal: (purpose, text) => ({ text, key, signature: signatureOf(sealedWords(purpose, project, text), pem) }),
  };
}
