import * as z from 'zod/mini';
import { cut, inert } from '#kernel/text.js';
import { addUsage, NO_USAGE, type RunOutcome, type Usage, usageSince } from './event.js';
import { type Price, priced } from './prices.js';
import type { RecordedEvent } from './run-words.js';

/** Maximum steps of a run, the last ones, and characters of a text. */
const STEPS = 2_000;
const TEXT_CHARACTERS = 8_000;

/** One step of a run. Times are those at which it became known; `ms` is how long it took, if that is known. */
export const runStepShape = z.object({
  /**
   * `start`: the client is ready; `answer`: the model has answered; `text`: it said something; `tool`: it called a tool;
   * `error`: the client reported trouble; `end`: the client has finished.
   */
  kind: z.enum(['start', 'answer', 'text', 'tool', 'error', 'end']),
  at: z.optional(z.string()),
  /** Number of the model's answer that it belongs to; 0 before the first. */
  turn: z.number(),
  ms: z.optional(z.number()),
  /** Model, tool, or outcome. */
  name: z.optional(z.string()),
  /** Said text, object of the call, message or reason. */
  text: z.optional(z.string()),
  /** Only for a tool: its state, and its result on one line. */
  state: z.optional(z.enum(['running', 'succeeded', 'failed', 'rejected'])),
  result: z.optional(z.string()),
  /** Only for an answer: tokens without and with those read from a cache, and US dollars. */
  tokens: z.optional(z.number()),
  cached: z.optional(z.number()),
  cost_usd: z.optional(z.number()),
  estimated_usd: z.optional(z.number()),
});
export type RunStep = z.infer<typeof runStepShape>;

/** Steps of a run, and where its time went. */
export interface RunSteps {
  readonly steps: readonly RunStep[];
  /** Steps before these that are left out. */
  readonly left_out: number;
  readonly model?: string | undefined;
  /** Milliseconds in which the model or a tool worked. Tools that worked side by side count once each. */
  readonly model_ms: number;
  readonly tool_ms: number;
}

type Draft = { -readonly [Field in keyof RunStep]: RunStep[Field] };

/**
 * The steps of a run from the recorded events of its client. Usage counts for the answer it was reported after. A client
 * that tells the cost only at the end says nothing about single answers: these are then priced by `priceOf`.
 */
export function stepsOfRun(
  events: readonly RecordedEvent[],
  priceOf: (model: string | undefined) => Price | undefined,
): RunSteps {
  const steps: Draft[] = [];
  const open: Draft[] = [];
  const usages = new Map<Draft, Usage>();
  let model: string | undefined;
  let answer: Draft | undefined;
  let used = NO_USAGE;
  let before: string | undefined;
  const add = (step: Omit<Draft, 'turn'>): Draft => {
    const draft = { ...step, turn: answer?.turn ?? 0 };
    steps.push(draft);
    return draft;
  };
  for (const event of events) {
    const { at } = event;
    switch (event.type) {
      case 'session':
        model = event.model ?? model;
        if (event.model !== undefined) add({ kind: 'start', at, name: inert(event.model) });
        break;
      case 'progress':
        if (event.turn <= (answer?.turn ?? 0)) break;
        answer = add({ kind: 'answer', at, ms: between(before, at) });
        answer.turn = event.turn;
        break;
      case 'text':
        say(event.text, event.continues === true, at);
        break;
      case 'tool':
        if (event.state === 'started') {
          const text = event.target === undefined ? undefined : inert(event.target);
          open.push(add({ kind: 'tool', at, name: inert(event.name), text, state: 'running' }));
        } else settle(event.name, event.state, event.result, at);
        break;
      case 'usage':
        if (answer !== undefined)
          usages.set(answer, addUsage(usages.get(answer) ?? NO_USAGE, usageSince(event.usage, used)));
        used = event.usage;
        break;
      case 'error':
        add({ kind: 'error', at, text: inert(event.message) });
        break;
      case 'final':
        end(event.outcome, event.reason, at);
        break;
    }
    before = at ?? before;
  }
  const isTold = [...usages.values()].every((usage) => usage.cost_usd !== undefined);
  for (const [step, usage] of usages) Object.assign(step, figuresOf(usage, isTold, priceOf(model)));
  const left_out = Math.max(0, steps.length - STEPS);
  return {
    steps: steps.slice(left_out),
    left_out,
    model,
    model_ms: total(steps, 'answer'),
    tool_ms: total(steps, 'tool'),
  };

  function say(words: string, continues: boolean, at: string | undefined): void {
    const last = steps.at(-1);
    if (continues && last?.kind === 'text') last.text = shortened(`${last.text ?? ''}${words}`);
    else if (words.trim() !== '') add({ kind: 'text', at, text: shortened(words) });
  }

  /** The oldest call of this tool that has not ended: events name no calls. */
  function settle(name: string, state: RunStep['state'], result: string | undefined, at: string | undefined): void {
    const index = open.findIndex((call) => call.name === inert(name));
    const call = index === -1 ? add({ kind: 'tool', name: inert(name) }) : open.splice(index, 1)[0];
    if (call === undefined) return;
    Object.assign(call, { state, ms: between(call.at, at), result: result === undefined ? undefined : inert(result) });
    call.at ??= at;
  }

  /** A client may report several ends; the last one counts. */
  function end(outcome: RunOutcome, reason: string, at: string | undefined): void {
    const last = steps.at(-1);
    if (last?.kind === 'end') steps.pop();
    add({ kind: 'end', at, name: outcome, text: inert(reason) });
  }
}

function figuresOf(usage: Usage, isTold: boolean, price: Price | undefined): Partial<RunStep> {
  const { cost_usd: _told, estimated_usd: _estimated, ...tokens } = usage;
  const { cost_usd, estimated_usd } = isTold ? usage : priced(tokens, price);
  const cached = usage.cache_read_input_tokens;
  const fresh = usage.input_tokens + usage.output_tokens + usage.cache_creation_input_tokens;
  return { tokens: fresh, ...(cached === 0 ? {} : { cached }), cost_usd, estimated_usd };
}

function shortened(text: string): string {
  return cut(inert(text, true), TEXT_CHARACTERS);
}

function between(from: string | undefined, to: string | undefined): number | undefined {
  const milliseconds = Date.parse(to ?? '') - Date.parse(from ?? '');
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined;
}

function total(steps: readonly RunStep[], kind: RunStep['kind']): number {
  return steps.reduce((sum, step) => sum + (step.kind === kind ? (step.ms ?? 0) : 0), 0);
}
