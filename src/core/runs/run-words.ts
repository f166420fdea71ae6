import { type JsonObject, parseJsonObject } from '#kernel/json.js';
import { formatCost, formatTokens, inert } from '#kernel/text.js';
import type { ExecutorEvent, Usage } from './event.js';
import { amountAt, objectAt, priceAt, textAt } from './reader.js';

const ENDED = { succeeded: 'ok', failed: 'failed', rejected: 'refused' } as const;

/**
 * Events of a client as text for people: its messages, each tool call with target and result, and the usage so far. A
 * run at work is read in parts: the texts of the parts, concatenated, equal the text of the whole. The text of a later
 * part (`first` is false) therefore starts with a line break.
 */
export function runWords(events: readonly ExecutorEvent[], first = true): string {
  let words = '';
  let hasText = !first;
  for (const event of events) {
    const text = wordsOf(event);
    if (text === undefined) continue;
    const continues = event.type === 'text' && event.continues === true;
    words += `${hasText && !continues ? '\n' : ''}${text}`;
    hasText = true;
  }
  return words;
}

function wordsOf(event: ExecutorEvent): string | undefined {
  switch (event.type) {
    case 'session':
      return event.model === undefined ? undefined : `[started with ${inert(event.model)}]`;
    case 'progress':
      return undefined;
    case 'tool':
      return event.state === 'started'
        ? `> ${withMore(inert(event.name), event.target)}`
        : `  ${withMore(`${ENDED[event.state]} ${inert(event.name)}`, event.result)}`;
    case 'text':
      return event.text === '' ? undefined : inert(event.text, true);
    case 'usage':
      return `  [${usageWords(event.usage)} so far]`;
    case 'final':
      return `[${event.outcome}: ${inert(event.reason)}]`;
    case 'error':
      return `! ${inert(event.message)}`;
  }
}

function withMore(head: string, more: string | undefined): string {
  return more === undefined || more === '' ? head : `${head}: ${inert(more)}`;
}

/** Formats usage as `12.4k tokens, $0.03`. */
function usageWords({ cost_usd: cost, estimated_usd: estimated, ...tokens }: Usage): string {
  const used = Object.values(tokens).reduce((sum, amount) => sum + amount, 0);
  return `${formatTokens(used)} tokens${cost === undefined ? '' : `, ${formatCost(cost, estimated)}`}`;
}

/** An event as stored with a run: `at` is the time at which it was read. */
export type RecordedEvent = ExecutorEvent & { readonly at?: string };

/**
 * Parses event lines stored with a run. Lines that are not events are ignored, because a client could have written
 * them.
 */
export function eventsIn(lines: string): RecordedEvent[] {
  return lines.split('\n').flatMap((line) => {
    const record = line.trim() === '' ? undefined : parseJsonObject(line);
    const event = record && eventOf(record);
    return event === undefined ? [] : { ...event, ...maybe('at', textAt(record, 'at')) };
  });
}

const STATES = ['started', 'succeeded', 'failed', 'rejected'] as const;

function eventOf(record: JsonObject): ExecutorEvent | undefined {
  const text = (key: string) => textAt(record, key) ?? '';
  switch (record['type']) {
    case 'session':
      return { type: 'session', id: text('id'), ...maybe('model', textAt(record, 'model')) };
    case 'progress':
      return typeof record['turn'] === 'number' ? { type: 'progress', turn: amountAt(record, 'turn') } : undefined;
    case 'tool': {
      const state = STATES.find((one) => one === record['state']);
      if (state === undefined) return undefined;
      const more = { ...maybe('target', textAt(record, 'target')), ...maybe('result', textAt(record, 'result')) };
      return { type: 'tool', name: text('name'), state, ...more };
    }
    case 'text':
      return { type: 'text', text: text('text'), ...(record['continues'] === true ? { continues: true } : {}) };
    case 'usage':
      return { type: 'usage', usage: usageIn(objectAt(record, 'usage')) };
    case 'final':
      return {
        type: 'final',
        outcome: record['outcome'] === 'succeeded' ? 'succeeded' : 'failed',
        reason: text('reason'),
      };
    case 'error':
      return { type: 'error', message: text('message') };
    default:
      return undefined;
  }
}

function maybe<Key extends string>(key: Key, value: string | undefined): { [K in Key]?: string } {
  return (value === undefined ? {} : { [key]: value }) as { [K in Key]?: string };
}

function usageIn(usage: JsonObject | undefined): Usage {
  return {
    input_tokens: amountAt(usage, 'input_tokens'),
    output_tokens: amountAt(usage, 'output_tokens'),
    cache_read_input_tokens: amountAt(usage, 'cache_read_input_tokens'),
    cache_creation_input_tokens: amountAt(usage, 'cache_creation_input_tokens'),
    ...priceAt(usage, 'cost_usd'),
    ...estimateAt(usage),
  };
}

function estimateAt(usage: JsonObject | undefined): { estimated_usd?: number } {
  return typeof usage?.['estimated_usd'] === 'number' ? { estimated_usd: amountAt(usage, 'estimated_usd') } : {};
}
