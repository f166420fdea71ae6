import { isJsonObject, type Json, type JsonObject, parseJsonObject } from '#kernel/json.js';
import { LIMITS } from '#kernel/limits.js';
import { cut, inert } from '#kernel/text.js';
import { type ExecutorEvent, NO_USAGE, type ProcessExit, type RunOutcome, type Usage, type Verdict } from './event.js';
import { TROUBLES, type Trouble } from './provider-trouble.js';
import { type Reset, resetIn } from './reset-time.js';

// Fields of a line that a client wrote. What has another form than expected counts as not there.

export function textAt(object: JsonObject | undefined, key: string): string | undefined {
  const value = object?.[key];
  return typeof value === 'string' ? value : undefined;
}

/** Counts and prices: finite and not negative, else 0. */
export function amountAt(object: JsonObject | undefined, key: string): number {
  const value = object?.[key];
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

/** As `amountAt`, but undefined where there is none: a price of 0 is known, none is not. */
export function priceAt(object: JsonObject | undefined, key: string): { cost_usd?: number } {
  return typeof object?.[key] === 'number' ? { cost_usd: amountAt(object, key) } : {};
}

export function objectAt(object: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = object?.[key];
  return isJsonObject(value) ? value : undefined;
}

/** The objects of a list; other entries are passed over. */
export function objectsAt(object: JsonObject | undefined, key: string): JsonObject[] {
  const value = object?.[key];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** Understands the lines of one run of one client, and says at its end how it went. */
export interface Reader {
  /** One line of standard output, without its end. Never throws: what is not understood is passed over. */
  line(text: string): readonly ExecutorEvent[];
  verdict(exit: ProcessExit): Verdict;
}

/** A reader of lines that are JSON objects; others are passed over. */
export function jsonReader(parts: {
  event: (event: JsonObject) => readonly ExecutorEvent[];
  verdict: (exit: ProcessExit) => Verdict;
  /** Lines that need not be parsed to know what they mean. */
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

/** What every reader counts, and the events that come of it. */
export class ReaderTally {
  turns = 0;
  toolCalls = 0;
  sessionId: string | undefined;
  private readonly running = new Map<string, string>();

  /** Said once: every later line may name the session again. An id that could not stand in an argument is none. */
  session(id: string | undefined, model?: string): ExecutorEvent[] {
    if (id === undefined || id === this.sessionId || !isSessionId(id)) return [];
    this.sessionId = id;
    return [{ type: 'session', id, ...(model === undefined ? {} : { model: brief(model) }) }];
  }

  turn(): ExecutorEvent {
    this.turns += 1;
    return { type: 'progress', turn: this.turns };
  }

  /** Without a new answer of the model. */
  progress(): ExecutorEvent {
    return { type: 'progress', turn: this.turns };
  }

  started(name: string | undefined, call: string | undefined, input?: JsonObject): ExecutorEvent {
    this.toolCalls += 1;
    const label = brief(name ?? 'tool');
    if (call !== undefined && this.running.size < LIMITS.executorOpenTools) this.running.set(call, label);
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

  /** How it went. `trouble`: of the request that failed last, where nothing came after it. */
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
      /** What the client said of the trouble. */
      notice?: string;
      reset?: Reset | undefined;
      spent?: boolean;
    } = {},
  ): Verdict {
    // A notice of a limit that nothing came after is no end of the work, whatever its client calls it.
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
  const words = cut(value, LIMITS.executorTextCharacters);
  return { type: 'text', text: words, ...(continues ? { continues } : {}) };
}

export function errorEvent(message: string): ExecutorEvent {
  return { type: 'error', message: brief(message) };
}

export function final(outcome: RunOutcome, reason: string): ExecutorEvent {
  return { type: 'final', outcome, reason: brief(reason) };
}

/** The reason of a run that is judged by how its process ended. */
export function endReason(process: 'client' | 'command', { code, signal }: ProcessExit): string {
  return `The ${process} ${signal === null ? `ended with exit code ${code ?? 'unknown'}` : `was ended by ${signal}`}.`;
}

/** The reason of a run whose client never said how it went. */
export function unfinishedReason({ code, signal }: ProcessExit): string {
  const end = signal === null ? `exit code ${code ?? 'unknown'}` : `ended by ${signal}`;
  return `The client exited without reporting that it finished (${end}).`;
}

export function isSessionId(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(id);
}

/** One line for a person: foreign text made harmless and cut. */
function brief(value: string): string {
  return cut(inert(value.slice(0, 4 * LIMITS.executorReasonCharacters)), LIMITS.executorReasonCharacters);
}

/** Output without a form, of programs that are not clients: every line is a sign of life, the exit code is the verdict. */
export function plainReader(): Reader {
  const tally = new ReaderTally();
  return {
    line: (line) => [textEvent(line)],
    verdict: (exit) => tally.verdict(exit.code === 0 ? 'succeeded' : 'failed', endReason('command', exit), NO_USAGE),
  };
}

/** What a tool is used on, by the names clients give that, the most telling first. */
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

/** What a call is about, on one line: the command, the file, the address; else the first text there is. Undefined for nothing. */
function targetOf(input: JsonObject | undefined): string | undefined {
  if (input === undefined) return undefined;
  const named = TARGETS.map((key) => input[key]).find(isWords);
  const first = named ?? Object.values(input).find(isWords);
  return first === undefined ? undefined : onOneLine(first);
}

/** What came of a call, on one line: the first that it says, and how many lines there are beyond. */
function resultOf(value: Json | undefined): string | undefined {
  const lines = textIn(value)
    .slice(0, LIMITS.executorToolRead)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const [first] = lines;
  if (first === undefined) return undefined;
  return `${onOneLine(first)}${lines.length === 1 ? '' : ` (+${lines.length - 1} lines)`}`;
}

/** Text as clients write it: plain, or in blocks. */
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
    .slice(0, LIMITS.executorToolRead)
    .trim()
    .replace(/\s*\n\s*/g, ' ; ');
  return cut(inert(read), LIMITS.executorToolCharacters);
}
