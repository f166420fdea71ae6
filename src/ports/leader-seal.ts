/** A machine that may lead, as it introduces itself: the public half of its key, whose it is, and where. */
export interface LeaderCard {
  readonly key: string;
  /** The account there. */
  readonly name: string;
  /** The machine. */
  readonly at: string;
}

/** The same with what it is at the moment. */
export interface PublishedLeader extends LeaderCard {
  readonly leads: boolean;
}

/** A text exactly as it was signed, and by which key. */
export interface SealedText {
  readonly text: string;
  readonly key: string;
  readonly signature: string;
}

/** A sealed text is for one purpose: nothing that was signed for another counts. */
export type SealPurpose = 'order' | 'limit';

/** Signs, with the key of this machine, what a leader tells the workers of one project. */
export interface LeaderSeal {
  readonly card: LeaderCard;
  seal(purpose: SealPurpose, text: string): SealedText;
}
