/** What a person is told, once. All of it is data: nobody on the way may take it for markup or for headers. */
export interface Notice {
  /** Where this channel reaches the person: an address, a Matrix id. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same for every try at this notice, and for no other: a channel that can tells the person once only. */
  readonly id: string;
}

export type Channel = 'email' | 'matrix';

export interface Receipt {
  readonly channel: Channel;
  /** What the channel calls it. */
  readonly reference: string;
}

/** A way to reach people. Errors: `notify_failed`, `bad_input` for a place that cannot be one. Neither holds a secret. */
export interface Notifier {
  send(notice: Notice): Promise<Receipt>;
}

/** Something a person wrote back. `sender` is what the channel vouches for, not what the text says. */
export interface Reply {
  readonly id: string;
  readonly sender: string;
  readonly text: string;
}

/** A channel on which people can answer. Errors: `notify_failed`. */
export interface Replies {
  /** What came after `since`, the oldest first, and where to go on next time; without it, the latest there are. */
  read(since: string | undefined): Promise<{ readonly since: string; readonly replies: readonly Reply[] }>;
}
