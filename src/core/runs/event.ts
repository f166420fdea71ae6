import { LIMITS } from '#kernel/limits.js';
import type { Trouble } from './provider-trouble.js';
import type { Reset } from './reset-time.js';

/** What a run used. Input without what came from or went to a cache; the price where the client knows one. */
export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cost_usd?: number;
  /** The part of `cost_usd` that is tokens times a price of our table, as the client told none. */
  readonly estimated_usd?: number;
}

/**
 * What the stream of any client comes down to. Texts are foreign and cut.
 * `session`: the client is up; `progress`: the model did something; `error`: said by the client, also before it tries again.
 */
export type ExecutorEvent =
  | { readonly type: 'session'; readonly id: string; readonly model?: string }
  | { readonly type: 'progress'; readonly turn: number }
  /** `target`: what it is used on; `result`: what came of it, in a line. */
  | {
      readonly type: 'tool';
      readonly name: string;
      readonly state: 'started' | 'succeeded' | 'failed' | 'rejected';
      readonly target?: string;
      readonly result?: string;
    }
  /** `continues`: the text goes on in the middle of a word, where a client hands it out as it comes. */
  | { readonly type: 'text'; readonly text: string; readonly continues?: true }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'final'; readonly outcome: RunOutcome; readonly reason: string }
  | { readonly type: 'error'; readonly message: string };

export type RunOutcome = 'succeeded' | 'failed';

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface Verdict {
  readonly outcome: RunOutcome;
  readonly reason: string;
  /** It failed for trouble with its provider, and not with the task. */
  readonly trouble?: Trouble;
  /** When its provider answers again, as the notice said it. */
  readonly reset?: Reset;
  /** It ended because it had used what it may; its session can go on with more. */
  readonly spent?: true;
  /** With which the client can go on. */
  readonly sessionId?: string;
  /** Of this run alone. */
  readonly usage: Usage;
  /** Of the whole session, where the client counts so; to be handed to the reader of the run that resumes it. */
  readonly cumulative?: Usage;
  /** Answers of the model; of clients that do not mark them, the steps they made. */
  readonly turns: number;
  readonly toolCalls: number;
}

/** Whether an event shows that work goes on. That a client started, tries again or has failed does not, nor what it counts. */
export function isProgress(event: ExecutorEvent): boolean {
  if (event.type === 'final') return event.outcome === 'succeeded';
  return event.type !== 'session' && event.type !== 'error' && event.type !== 'usage';
}

export const NO_USAGE: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

export function addUsage(left: Usage, right: Usage): Usage {
  return combined(left, right, (one, other) => one + other);
}

/** What came since `before`. A figure below the one before means that the client counted anew: then it stands as it is. */
export function usageSince(now: Usage, before: Usage): Usage {
  return combined(now, before, (later, earlier) => (later >= earlier ? later - earlier : later));
}

function combined(left: Usage, right: Usage, join: (left: number, right: number) => number): Usage {
  // Sums of prices are kept to a billionth: what is beyond is noise of the arithmetic.
  const dollars = (field: 'cost_usd' | 'estimated_usd') =>
    left[field] === undefined && right[field] === undefined
      ? {}
      : { [field]: Math.round(join(left[field] ?? 0, right[field] ?? 0) * 1e9) / 1e9 };
  return {
    input_tokens: join(left.input_tokens, right.input_tokens),
    output_tokens: join(left.output_tokens, right.output_tokens),
    cache_read_input_tokens: join(left.cache_read_input_tokens, right.cache_read_input_tokens),
    cache_creation_input_tokens: join(left.cache_creation_input_tokens, right.cache_creation_input_tokens),
    ...dollars('cost_usd'),
    ...dollars('estimated_usd'),
  };
}

/** The last message of a run, put together from its events. Of a long one the end is kept: there stands what it wants. */
export class LastWords {
  private message = '';
  /** The next text begins a message. */
  private over = true;
  private turn = 0;

  take(event: ExecutorEvent): void {
    if (event.type === 'tool' || (event.type === 'progress' && event.turn > this.turn)) this.over = true;
    if (event.type === 'progress') this.turn = event.turn;
    if (event.type !== 'text' || (this.over && event.text.trim() === '')) return;
    const before = this.over ? '' : `${this.message}${event.continues ? '' : '\n'}`;
    this.over = false;
    this.message = `${before}${event.text}`.slice(-BYTES_STORED);
  }

  /** More of it than is kept, so that a secret at the cut is known as one; empty when nothing was said. */
  get text(): string {
    return this.message.trim();
  }
}

const BYTES_STORED = LIMITS.lastWordsBytes + LIMITS.redactorHeldCharacters;
const CUT = '[cut] … ';

/** The end of a text, within the bound, between two characters; undefined for nothing. */
export function lastBytes(text: string): string | undefined {
  if (text === '') return undefined;
  const bytes = Buffer.from(text);
  if (bytes.length <= LIMITS.lastWordsBytes) return text;
  let start = bytes.length - LIMITS.lastWordsBytes + Buffer.byteLength(CUT);
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return `${CUT}${bytes.toString('utf8', start)}`;
}
