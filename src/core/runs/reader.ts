import { isJsonObject, type Json, type JsonObject, parseJsonObject } from '#kernel/json.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { cut, inert } from '#kernel/text.js';
import { type ExecutorEvent, NO_USAGE, type ProcessExit, type RunOutcome, type Usage, type Verdict } from './event.js';
import { TROUBLES, type Trouble } from './provider-trouble.js';
import { type Reset, resetIn } from './reset-time.js';

// Fields of a line written by a client. A value of an unexpected type counts as missing.

export function textAt(object: JsonObject | undefined, key: string): string | undefined {
  const value = object?.[key];
  return typeof value === 'string' ? value : undefined;
}

/** Counts and prices: finite and non-negative, else 0. */
export function amountAt(object: JsonObject | undefined, key: string): number {
  const value = object?.[key];
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

/** Like `amountAt`, but empty if the field is missing: a price of 0 is known, a missing price is not. */
export function priceAt(object: JsonObject | undefined, key: string): { cost_usd?: number } {
  return typeof object?.[key] === 'number' ? { cost_usd: amountAt(object, key) } : {};
}

export function objectAt(object: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = object?.[key];
  return isJsonObject(value) ? value : undefined;
}

/** The objects of a list; other entries are ignored. */
export function objectsAt(object: JsonObject | undefined, key: string): JsonObject[] {
  const value = object?.[key];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** Parses the output lines of one run of one client and returns the verdict at the end. */
export interface Reader {
  /** Parses one line of standard output, without its line end. Never throws: unknown lines are ignored. */
  line(text: string): readonly ExecutorEvent[];
  verdict(exit: ProcessExit): Verdict;
}

/** A reader of lines that are JSON objects; other lines are ignored. */
export function jsonReader(parts: {
  event: (event: JsonObject) => readonly ExecutorEvent[];
  verdict: (exit: ProcessExit) => Verdict;
  /** Handles lines that need no JSON parsing; undefined passes the line on. */
  early?: (line: string) => readonly ExecutorEvent[] | undefined;
}): Reader {
  return {
    line(text) {
      const early = parts.early?.(text);
      if (early !== undefined) return early;
      const event = parseJsonObject(text);
      return event === undefined ? [] : parts.event(event);
    },
    verdict: parts.verdict,
  };
}

/** Counters common to all readers, and the events derived from them. */
export class ReaderTally {
  turns = 0;
  toolCalls = 0;
  sessionId: string | undefined;
  private readonly running = new Map<string, string>();

  /**
   * Event for a new session id, emitted once although later lines repeat it. An id that could not be passed as an
   * argument is ignored.
   */
  session(id: string | undefined, model?: string): ExecutorEvent[] {
    if (id === undefined || id === this.sessionId || !isSessionId(id)) return [];
    this.sessionId = id;
    return [{ type: 'session', id, ...(model === undefined ? {} : { model: brief(model) }) }];
  }

  turn(): ExecutorEvent {
    this.turns += 1;
    return { type: 'progress', turn: this.turns };
  }

  /** Progress without a new model response. */
  progress(): ExecutorEvent {
    return { type: 'progress', turn: this.turns };
  }

  started(name: string | undefined, call: string | undefined, input?: JsonObject): ExecutorEvent {
    this.toolCalls += 1;
    const label = brief(name ?? 'tool');
    if (call !== undefined && this.running.size < TEAM_LIMITS.executorOpenTools) this.running.set(call, label);
    const target = targetOf(input);
    return { type: 'tool', name: label, state: 'started', ...(target === undefined ? {} : { target }) };
  }

  isOpen(call: string | undefined): boolean {
    return call !== undefined && this.running.has(call);
  }

  ended(
    call: string | undefined,
    state: 'succeeded' | 'failed' | 'rejected',
    { name, output }: { readonly name?: string | undefined; readonly output?: Json | undefined } = {},
  ): ExecutorEvent {
    const startedName = call === undefined ? undefined : this.running.get(call);
    if (call !== undefined) this.running.delete(call);
    const result = resultOf(output);
    const label = startedName ?? brief(name ?? 'tool');
    return { type: 'tool', name: label, state, ...(result === undefined ? {} : { result }) };
  }

  /** Builds the verdict. `trouble`: provider failure of the last request, if nothing followed it. */
  verdict(
    said: RunOutcome,
    reason: string,
    usage: Usage,
    {
      cumulative,
      trouble,
      notice = reason,
      reset = resetIn(notice),
      spent = false,
    }: {
      cumulative?: Usage | undefined;
      trouble?: Trouble | undefined;
      /** Message of the client about the failure. */
      notice?: string;
      reset?: Reset | undefined;
      spent?: boolean;
    } = {},
  ): Verdict {
    // If the last thing was a notice about a limit, the work is unfinished, even if the client reports success.
    const limited = said === 'succeeded' && trouble !== undefined && TROUBLES[trouble].limit;
    const outcome = limited ? 'failed' : said;
    return {
      outcome,
      reason: brief(limited ? notice : reason),
      ...(trouble === undefined || outcome === 'succeeded' ? {} : { trouble }),
      ...(trouble === undefined || outcome === 'succeeded' || reset === undefined ? {} : { reset }),
      ...(spent && outcome === 'failed' ? { spent } : {}),
      ...(this.sessionId === undefined ? {} : { sessionId: this.sessionId }),
      usage,
      ...(cumulative === undefined ? {} : { cumulative }),
      turns: this.turns,
      toolCalls: this.toolCalls,
    };
  }
}

export function textEvent(value: string, continues = false): ExecutorEvent {
  const words = cut(value, TEAM_LIMITS.executorTextCharacters);
  return { type: 'text', text: words, ...(continues ? { continues } : {}) };
}

export function errorEvent(message: string): ExecutorEvent {
  return { type: 'error', message: brief(message) };
}

export function final(outcome: RunOutcome, reason: string): ExecutorEvent {
  return { type: 'final', outcome, reason: brief(reason) };
}

/** Reason for a run judged by the exit of its process. */
export function endReason(process: 'client' | 'command', { code, signal }: ProcessExit): string {
  return `The ${process} ${signal === null ? `ended with exit code ${code ?? 'unknown'}` : `was ended by ${signal}`}.`;
}

/** Reason for a run whose client reported no result. */
export function unfinishedReason({ code, signal }: ProcessExit): string {
  const end = signal === null ? `exit code ${code ?? 'unknown'}` : `ended by ${signal}`;
  return `The client exited without reporting that it finished (${end}).`;
}

export function isSessionId(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(id);
}

/** One line for people: foreign text, made inert and truncated. */
function brief(value: string): string {
  return cut(inert(value.slice(0, 4 * TEAM_LIMITS.executorReasonCharacters)), TEAM_LIMITS.executorReasonCharacters);
}

/**
 * Reader for unstructured output of programs that are not clients: every line counts as progress, and the exit code
 * decides.
 */
export function plainReader(): Reader {
  const tally = new ReaderTally();
  return {
    line: (line) => [textEvent(line)],
    verdict: (exit) => tally.verdict(exit.code === 0 ? 'succeeded' : 'failed', endReason('command', exit), NO_USAGE),
  };
}

/** Input keys that name the object of a tool call, most informative first. */
const TARGETS = [
  ...[
    'command',
    'cmd',
    'script',
    'file_path',
    'filePath',
    'notebook_path',
    'path',
    'absolute_path',
    'pattern',
    'query',
  ],
  ...['url', 'description', 'skill', 'prompt', 'id', 'title', 'message', 'reason'],
];

/** Object of a tool call on one line: the command, file or address, else the first text. Undefined if there is none. */
function targetOf(input: JsonObject | undefined): string | undefined {
  if (input === undefined) return undefined;
  const named = TARGETS.map((key) => input[key]).find(isWords);
  const first = named ?? Object.values(input).find(isWords);
  return first === undefined ? undefined : onOneLine(first);
}

/** Result of a tool call on one line: its first line and the number of further lines. */
function resultOf(value: Json | undefined): string | undefined {
  const lines = textIn(value)
    .slice(0, TEAM_LIMITS.executorToolRead)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const [first] = lines;
  if (first === undefined) return undefined;
  return `${onOneLine(first)}${lines.length === 1 ? '' : ` (+${lines.length - 1} lines)`}`;
}

/** Text as clients write it: a string or blocks. */
function textIn(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textIn).join('\n');
  if (isJsonObject(value)) return textIn(value['text'] ?? value['content']);
  return '';
}

function isWords(value: Json | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function onOneLine(text: string): string {
  const read = text
    .slice(0, TEAM_LIMITS.executorToolRead)
    .trim()
    .replace(/\s*\n\s*/g, ' ; ');
  return cut(inert(read), TEAM_LIMITS.executorToolCharacters);
}
