import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { Trouble } from './provider-trouble.js';
import type { Reset } from './reset-time.js';

/**
 * Token usage of a run. Input excludes tokens read from or written to a cache; the cost is set if the client knows it.
 */
export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cost_usd?: number;
  /** The part of `cost_usd` computed from tokens and the built-in price table, because the client reported no price. */
  readonly estimated_usd?: number;
}

/**
 * Common events of all clients' streams. Texts are foreign and truncated. `session`: the client is running; `progress`:
 * the model did something; `error`: reported by the client, also before a retry.
 */
export type ExecutorEvent =
  | { readonly type: 'session'; readonly id: string; readonly model?: string }
  | { readonly type: 'progress'; readonly turn: number }
  /** `target`: the object of the call; `result`: its result in one line. */
  | {
      readonly type: 'tool';
      readonly name: string;
      readonly state: 'started' | 'succeeded' | 'failed' | 'rejected';
      readonly target?: string;
      readonly result?: string;
    }
  /** `continues`: the text continues in the middle of a word, because the client streams it in pieces. */
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
  /** The run failed because of its provider, not because of the task. */
  readonly trouble?: Trouble;
  /** Time at which the provider accepts requests again, as stated in its notice. */
  readonly reset?: Reset;
  /** The run ended because its limit was used up; its session can be resumed with a larger one. */
  readonly spent?: true;
  /** Id with which the session can be resumed. */
  readonly sessionId?: string;
  /** Usage of this run alone. */
  readonly usage: Usage;
  /** Usage of the whole session, if the client reports that; passed to the reader of the run that resumes it. */
  readonly cumulative?: Usage;
  /** Number of model responses; for clients that do not mark them, of steps. */
  readonly turns: number;
  readonly toolCalls: number;
}

/** Whether an event shows progress of the work. A start, a retry, a failure and usage figures do not. */
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

/**
 * Usage since `before`. A figure lower than before means that the client started counting again: it is used unchanged.
 */
export function usageSince(now: Usage, before: Usage): Usage {
  return combined(now, before, (later, earlier) => (later >= earlier ? later - earlier : later));
}

function combined(left: Usage, right: Usage, join: (left: number, right: number) => number): Usage {
  // Rounds sums of prices to 1e-9: digits beyond that are floating-point noise.
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

/** Collects the last message of a run from its events. Keeps the end of a long message, where its conclusion is. */
export class LastWords {
  private message = '';
  /** The next text starts a new message. */
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

  /**
   * The message, longer than the stored limit: a secret at the cut must still be recognisable. Empty if there is none.
   */
  get text(): string {
    return this.message.trim();
  }
}

const BYTES_STORED = TEAM_LIMITS.lastWordsBytes + WORK_LIMITS.redactorHeldCharacters;
const CUT = '[cut] … ';

/** The end of a text within `TEAM_LIMITS.lastWordsBytes`, cut at a character boundary; undefined for an empty text. */
export function lastBytes(text: string): string | undefined {
  if (text === '') return undefined;
  const bytes = Buffer.from(text);
  if (bytes.length <= TEAM_LIMITS.lastWordsBytes) return text;
  let start = bytes.length - TEAM_LIMITS.lastWordsBytes + Buffer.byteLength(CUT);
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return `${CUT}${bytes.toString('utf8', start)}`;
}
