// The key with which this machine signs as a leader, and what others are told of it.

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

/** This machine as it may lead; its key is made where there is none. Errors: `leader_key_unusable`. */
export function ownLeaderCard(): LeaderCard {
  return cardWith(keyFile().open());
}

/** The public key of this machine; undefined where it never led. */
export function ownPublicKey(): string | undefined {
  return keyFile().read()?.key;
}

/** Signs for the project of a name. */
export function leaderSeal(project: string): LeaderSeal {
  const own = keyFile().open();
  return {
    card: cardWith(own),
    seal: (purpose, text) => ({
      ...{ text, key: own.key },
      signature: signatureOf(sealedWords(purpose, project, text), own.pem),
    }),
  };
}
