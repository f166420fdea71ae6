import type { Channel } from '#core/mail/channels.js';

/**
 * A message to a person, delivered once. All fields are plain data: no channel may interpret them as markup or headers.
 */
export interface Notice {
  /** Address of the person on the channel: an email address or a Matrix id; empty on a channel with one recipient. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /**
   * Idempotency key: the same for every attempt to deliver this notice, and for no other notice. A channel that
   * supports such keys delivers it once.
   */
  readonly id: string;
}

export interface Receipt {
  readonly channel: Channel;
  /** Id of the message on the channel. */
  readonly reference: string;
}

/**
 * Channel for messages to people. Ends within a bounded time, and soon after the signal. Errors: `notify_failed`,
 * `bad_input` for an invalid address. Neither contains a secret.
 */
export interface Notifier {
  send(notice: Notice, signal: AbortSignal): Promise<Receipt>;
}

/** A message from a person. `sender` is the identity that the channel authenticated, regardless of the text. */
export interface Reply {
  readonly id: string;
  readonly sender: string;
  readonly text: string;
}

/** Channel on which people can answer. Errors: `notify_failed`. */
export interface Replies {
  /** Messages after the cursor `since`, oldest first, and the next cursor; without a cursor, the latest messages. */
  read(since: string | undefined): Promise<{ readonly since: string; readonly replies: readonly Reply[] }>;
}
