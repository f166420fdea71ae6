import type { JsonObject } from '#kernel/json.js';
import {
  addUsage,
  type ExecutorEvent,
  NO_USAGE,
  type ProcessExit,
  type Usage,
  usageSince,
  type Verdict,
} from './event.js';
import { limitIn, MARKS, TROUBLES, type Trouble, troubleIn, troubleOfStatus } from './provider-trouble.js';
import {
  amountAt,
  errorEvent,
  final,
  jsonReader,
  objectAt,
  objectsAt,
  priceAt,
  type Reader,
  ReaderTally,
  textAt,
  textEvent,
  unfinishedReason,
} from './reader.js';
import { type Reset, resetIn } from './reset-time.js';

interface Options {
  /** The figures of a result that cover the whole session; `before` holds their values when this run began. */
  readonly cumulative: 'cost' | 'tokens';
  readonly before?: Usage | undefined;
  /** The input count includes tokens read from the cache. */
  readonly inputHoldsCache?: boolean;
}

/**
 * Reader for the stream of Claude Code, also used by Qwen Code: messages with blocks, and a result at the end. One run
 * may have several results; the last one counts. A result marked as both success and error is an error.
 */
export function conversationReader({ cumulative, before, inputHoldsCache = false }: Options): Reader {
  const tally = new ReaderTally();
  let messageId: string | undefined;
  /** Usage of the responses before the current one, and of the current one, since the last result. */
  let earlier = NO_USAGE;
  let current = NO_USAGE;
  let result: { outcome: 'succeeded' | 'failed'; reason: string; usage: Usage; spent: boolean } | undefined;
  /** The last provider failure, until a response follows it. */
  let trouble: Trouble | undefined;
  /** Message about that failure, and the time at which it is over. */
  let notice = '';
  let reset: Reset | undefined;

  function met(next: Trouble | undefined, words: string): void {
    if (next === undefined) return;
    trouble = next;
    notice = words;
    reset = resetIn(words) ?? reset;
  }

  function onAssistant(event: JsonObject): ExecutorEvent[] {
    const message = objectAt(event, 'message');
    const blocks = objectsAt(message, 'content');
    // Text of the client itself, in place of the model, about a failed request.
    if (textAt(message, 'model') === '<synthetic>' || isFailedRequest(message, blocks)) {
      const words = blocks.map((block) => textAt(block, 'text')).join(' ');
      met(troubleOf(event, words), words);
      return blocks.flatMap((block) => [errorEvent(textAt(block, 'text') ?? 'The request failed.')]);
    }
    [trouble, reset] = [undefined, undefined];
    const events: ExecutorEvent[] = [];
    const id = textAt(message, 'id');
    const ofSubagent = typeof event['parent_tool_use_id'] === 'string';
    if (!ofSubagent && (id === undefined || id !== messageId)) {
      messageId = id;
      earlier = addUsage(earlier, current);
      current = NO_USAGE;
      events.push(tally.turn());
    }
    if (!ofSubagent) current = usageOf(objectAt(message, 'usage'), inputHoldsCache);
    // Of a response in several pieces, the first reports the usage.
    if (events.length > 0 && current !== NO_USAGE) events.push({ type: 'usage', usage: usedSoFar() });
    for (const block of blocks) {
      const words = textAt(block, 'text');
      if (block['type'] === 'text' && words !== undefined) events.push(textEvent(words));
      if (block['type'] === 'tool_use')
        events.push(tally.started(textAt(block, 'name'), textAt(block, 'id'), objectAt(block, 'input')));
    }
    return events.length === 0 ? [tally.progress()] : events;
  }

  function onResult(event: JsonObject): ExecutorEvent[] {
    const words = textAt(event, 'result') ?? '';
    const isFree = amountAt(objectAt(event, 'usage'), 'output_tokens') === 0;
    if (isFree && limitIn(words) !== undefined) met(limitIn(words), words); // no model wrote that text
    const limited = trouble !== undefined && TROUBLES[trouble].limit;
    const isFailed = event['is_error'] !== false || (isFree && FAILED_REQUEST.test(words));
    const succeeded = !isFailed && event['subtype'] === 'success' && !limited;
    const reported = { ...usageOf(objectAt(event, 'usage'), inputHoldsCache), ...priceAt(event, 'total_cost_usd') };
    const usage = result === undefined ? reported : together(result.usage, reported);
    const outcome = succeeded ? 'succeeded' : 'failed';
    if (succeeded) trouble = undefined;
    else if (isFailed) trouble = troubleOfResult(event, trouble);
    const spent = event['subtype'] === 'error_max_budget_usd';
    result = { outcome, reason: succeeded ? 'The client finished.' : failureOf(event), usage, spent };
    [earlier, current] = [NO_USAGE, NO_USAGE];
    return [
      ...tally.session(textAt(event, 'session_id')),
      { type: 'usage', usage: ownPart(usage) },
      final(outcome, result.reason),
    ];
  }

  /** Rate limits of the account, reported by the provider with every response. */
  function onRateLimit(event: JsonObject): ExecutorEvent[] {
    const info = objectAt(event, 'rate_limit_info') ?? event;
    if (info['status'] !== 'rejected' || info['isUsingOverage'] === true) return [];
    const kind = textAt(info, 'rateLimitType') ?? textAt(info, 'rate_limit_type') ?? '';
    const at = amountAt(info, 'resetsAt') || amountAt(info, 'resets_at');
    met(
      Object.hasOwn(MARKS, kind) ? MARKS[kind] : 'usage-limit',
      `The provider refuses requests: ${kind || 'a limit'} is reached.`,
    );
    if (at > 0) reset = { at: at < 1e11 ? at * 1_000 : at };
    return [errorEvent(notice)];
  }

  function onSystem(event: JsonObject): ExecutorEvent[] {
    const subtype = textAt(event, 'subtype') ?? '';
    if (subtype === 'init') {
      const broken = objectsAt(event, 'mcp_servers').filter((server) => server['status'] === 'failed');
      return [
        ...tally.session(textAt(event, 'session_id'), textAt(event, 'model')),
        ...broken.map((server) => errorEvent(`The tool server ${textAt(server, 'name') ?? ''} did not start.`)),
      ];
    }
    if (subtype === 'api_retry') {
      const cause = textAt(event, 'error') ?? '';
      met(troubleOf(event, cause) ?? 'unreachable', cause); // the client retries a request that got no response
      return [
        errorEvent(`Trying again (${amountAt(event, 'attempt')} of ${amountAt(event, 'max_retries')}): ${cause}`),
      ];
    }
    return subtype.startsWith('task_') ? [tally.progress()] : [];
  }

  /**
   * Combines several results of one run: costs cover the session; tokens do too with `cumulative: 'tokens'`, else each
   * result has its own.
   */
  function together(before: Usage, now: Usage): Usage {
    if (cumulative === 'tokens') return now;
    return { ...addUsage({ ...before, cost_usd: 0 }, { ...now, cost_usd: 0 }), ...priceAt({ ...now }, 'cost_usd') };
  }

  /** Usage before the final result; responses that no result has counted yet have no cost. */
  function usedSoFar(): Usage {
    const since = addUsage(earlier, current);
    return result === undefined ? since : addUsage(ownPart(result.usage), since);
  }

  function ownPart(usage: Usage): Usage {
    const since = usageSince(usage, before ?? NO_USAGE);
    if (cumulative === 'tokens') return since;
    return { ...usage, ...(usage.cost_usd === undefined ? {} : priceAt({ ...since }, 'cost_usd')) };
  }

  function verdict(exit: ProcessExit): Verdict {
    if (result === undefined)
      return tally.verdict('failed', unfinishedReason(exit), usedSoFar(), {
        cumulative: before,
        trouble,
        notice,
        reset,
      });
    const { outcome, reason, usage, spent } = result;
    return tally.verdict(outcome, reason, usedSoFar(), { cumulative: usage, trouble, notice, reset, spent });
  }

  function event(line: JsonObject): ExecutorEvent[] {
    switch (line['type']) {
      case 'system':
        return onSystem(line);
      case 'assistant':
        return onAssistant(line);
      case 'rate_limit_event':
        return onRateLimit(line);
      case 'user':
        return objectsAt(objectAt(line, 'message'), 'content')
          .filter((block) => block['type'] === 'tool_result')
          .map((block) =>
            tally.ended(textAt(block, 'tool_use_id'), block['is_error'] === true ? 'failed' : 'succeeded', {
              output: block['content'],
            }),
          );
      case 'stream_event':
        return /^(message|content_block)_/.test(textAt(objectAt(line, 'event'), 'type') ?? '')
          ? [tally.progress()]
          : [];
      case 'result':
        return onResult(line);
      default:
        return [];
    }
  }

  return jsonReader({ event, verdict });
}

/** Start of Qwen Code's own text about a failed request, which some of its versions report as a success. */
const FAILED_REQUEST = /^\[API Error: /;

/** Whether a message is Qwen Code's own text about a failed request: it used no tokens. */
function isFailedRequest(message: JsonObject | undefined, blocks: readonly JsonObject[]): boolean {
  const usage = objectAt(message, 'usage');
  const isFree = amountAt(usage, 'input_tokens') + amountAt(usage, 'output_tokens') === 0;
  return isFree && blocks.length === 1 && FAILED_REQUEST.test(textAt(blocks[0], 'text') ?? '');
}

/**
 * Provider failure of one request: by its status, else by its error code, else by the text. Undefined if the request
 * itself is at fault.
 */
function troubleOf(event: JsonObject, words: string): Trouble | undefined {
  if (event['api_error'] === 'connection_failed') return 'unreachable';
  const mark = textAt(event, 'error') ?? '';
  if (mark === 'billing_error') return 'no-credit';
  const status = amountAt(event, 'api_error_status') || amountAt(event, 'error_status');
  if (status > 0) return troubleOfStatus(status, words);
  if (Object.hasOwn(MARKS, mark)) return mark === 'rate_limit' ? (limitIn(words) ?? MARKS[mark]) : MARKS[mark];
  return mark === '' || mark === 'unknown' ? troubleIn(words) : undefined;
}

/** Provider failure of the final result, with the earlier failure of the same request. */
function troubleOfResult(event: JsonObject, before: Trouble | undefined): Trouble | undefined {
  if (event['stop_reason'] === 'refusal' || event['api_error'] === 'max_output_tokens') return undefined;
  const words = textAt(objectAt(event, 'error'), 'message') ?? textAt(event, 'error') ?? textAt(event, 'result') ?? '';
  const { error: _, ...rest } = event;
  const own = troubleOf(rest, words);
  // Other ends than a failed request (turn limit, cost limit) do not indicate a provider failure, even if one occurred
  // earlier.
  const isRequest = event['terminal_reason'] === 'api_error' || own !== undefined;
  return isRequest ? (before ?? own) : undefined;
}

function failureOf(event: JsonObject): string {
  const errors = Array.isArray(event['errors']) ? event['errors'].filter((one) => typeof one === 'string') : [];
  const messages = [textAt(objectAt(event, 'error'), 'message'), textAt(event, 'error'), textAt(event, 'result')];
  const subtype = textAt(event, 'subtype');
  const status = amountAt(event, 'api_error_status');
  const parts = [
    subtype === 'success' ? textAt(event, 'terminal_reason') : subtype,
    status > 0 ? `status ${status}` : undefined,
    errors[0] ?? messages.find((one) => one !== undefined && one !== ''),
  ];
  return parts.filter((part) => part !== undefined && part !== '').join(': ') || 'The client reported an error.';
}

function usageOf(usage: JsonObject | undefined, inputHoldsCache: boolean): Usage {
  const read = amountAt(usage, 'cache_read_input_tokens');
  return {
    input_tokens: Math.max(0, amountAt(usage, 'input_tokens') - (inputHoldsCache ? read : 0)),
    output_tokens: amountAt(usage, 'output_tokens'),
    cache_read_input_tokens: read,
    cache_creation_input_tokens: amountAt(usage, 'cache_creation_input_tokens'),
  };
}
