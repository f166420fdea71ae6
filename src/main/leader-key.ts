// The signing key of this machine as a leader, and the public card derived from it.

import { hostname } from 'node:os';
import { personHere } from '#adapters/processes/caller-from.js';
import { LeaderKeyFile, type SigningKey } from '#adapters/trust/leader-key-file.js';
import { sealedWords } from '#kernel/sealed-words.js';
import { signatureOf } from '#kernel/signature.js';
import { configurationFolder } from '#main/places.js';
import type { LeaderCard, LeaderSeal } from '#ports/leader-seal.js';

const keyFile = () => new LeaderKeyFile(configurationFolder(process.env));

function cardWith({ key }: SigningKey): LeaderCard {
  return { key, name: personHere(process.env).name, at: hostname() };
}

/** Leader card of this machine; creates the key if there is none. Errors: `leader_key_unusable`. */
export function ownLeaderCard(): LeaderCard {
  return cardWith(keyFile().open());
}

/** Public key of this machine; undefined if it never led. */
export function ownPublicKey(): string | undefined {
  return keyFile().read()?.key;
}

/** Signer for the named project. */
export function leaderSeal(project: string): LeaderSeal {
  const own = keyFile().open();
  return {
    card: cardWith(own),
    seal: (purpose, text) => ({
      text,
      key: own.key,
      signature: signatureOf(sealedWords(purpose, project, text), own.pem),
    }),
  };
}
