/** A machine that may lead, as it announces itself: its public key, account and host. */
export interface LeaderCard {
  readonly key: string;
  /** Name of the account on that machine. */
  readonly name: string;
  /** Name of the machine. */
  readonly at: string;
}

/** A leader card, and whether that machine leads at present. */
export interface PublishedLeader extends LeaderCard {
  readonly leads: boolean;
}

/** A text exactly as it was signed, and the key that signed it. */
export interface SealedText {
  readonly text: string;
  readonly key: string;
  readonly signature: string;
}

/** Purpose of a signature. A text signed for one purpose is invalid for another. */
export type SealPurpose = 'order' | 'limit';

/** Signs, with the key of this machine, the leader's instructions to the workers of one project. */
export interface LeaderSeal {
  readonly card: LeaderCard;
  seal(purpose: SealPurpose, text: string): SealedText;
}
