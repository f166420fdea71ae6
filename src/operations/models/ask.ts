/**
 * The single way to ask a model, the choice of that model, and the ledger of the remaining budget.
 * @packageDocumentation
 */
import * as z from 'zod/mini';
import { fillPlaceholders, type WordingName } from '#core/runs/prompt-wording.js';
import { MODEL_PURPOSES, type ModelPurpose, modelChoice } from '#core/settings/model-choice.js';
import { MODEL_PROVIDERS, type ModelProvider } from '#core/settings/schema.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { type Block, questionText } from '#kernel/question.js';
import { loadSettings } from '#operations/load-settings.js';
import { type Context, operation } from '#operations/operation.js';
import type { Model } from '#ports/model.js';

/** A model that somebody names for one question. */
export interface NamedModel {
  readonly provider?: ModelProvider | undefined;
  readonly model?: string | undefined;
}

/** What is put to a model: our words, and everything foreign as blocks. */
export interface ModelWording {
  readonly name: WordingName;
  readonly values?: Readonly<Record<string, string | number>>;
  readonly blocks: readonly Block[];
}

export interface ModelRequest<Answer> extends ModelWording {
  readonly purpose: ModelPurpose;
  /** What the text of an answer comes to; undefined, or a coded error that says why, for one of no use. */
  readonly take: (text: string) => Answer | undefined;
  /** The task it is about, whose budget it counts to. */
  readonly task?: string | undefined;
  /** How often it is asked until an answer is of use; once, where nothing is said. */
  readonly tries?: number;
  readonly timeMs?: number;
  /** Nobody waits any longer once this is aborted. */
  readonly signal?: AbortSignal | undefined;
  readonly named?: NamedModel | undefined;
}

/**
 * Why there is no answer, the same four for every question: nobody to ask, no money for it, the call failed, or what came
 * back is not what was asked for.
 */
export type AskFailureCode = 'no_model' | 'budget_spent' | 'call_failed' | 'bad_answer';

export interface AskFailure {
  readonly code: AskFailureCode;
  /** A sentence. */
  readonly reason: string;
  readonly hint: string;
  /** Has somebody named the provider, by a word or a setting? Else nobody expects a model. */
  readonly expected: boolean;
}

export type ModelReply<Answer> = (
  | { readonly answer: Answer; readonly failure?: undefined }
  | { readonly answer?: undefined; readonly failure: AskFailure }
) & {
  /** Who was asked, as `anthropic claude-haiku-4-5`. */
  readonly model: string;
  /** The records of the calls, in their order. */
  readonly runIds: readonly string[];
  /** What was asked; empty where nobody was. */
  readonly prompt: string;
  /** What the calls cost together, as far as the provider said it. */
  readonly costUsd?: number;
};

/**
 * The one way a model is asked: by whom the settings name for the purpose, with every foreign text fenced and without
 * secrets, within the budget, each call on record. Answers what `take` made of it, or why there is nothing; only what has
 * nothing to do with models is thrown. No lock is held meanwhile.
 */
export async function ask<Answer>(context: Context, question: ModelRequest<Answer>): Promise<ModelReply<Answer>> {
  const { purpose, tries = 1 } = question;
  const recipient = await modelFor(context, purpose, question.named);
  if ('failure' in recipient) return { failure: recipient.failure, model: recipient.name, runIds: [], prompt: '' };
  const { model } = recipient;
  const prompt = await promptText(context, question);
  const runIds: string[] = [];
  let costUsd: number | undefined;
  for (let attempt = 1; ; attempt++) {
    const outcome = await askedOnce(model, prompt, question);
    if (outcome.runId !== undefined) runIds.push(outcome.runId);
    if (outcome.costUsd !== undefined) costUsd = (costUsd ?? 0) + outcome.costUsd;
    const about = { model: recipient.name, runIds, prompt, ...(costUsd === undefined ? {} : { costUsd }) };
    if (outcome.failure === undefined) return { answer: outcome.answer as Answer, ...about };
    const { failure } = outcome;
    const isFinal = failure.code === 'budget_spent' || question.signal?.aborted === true; // asking again changes nothing
    if (attempt >= tries || isFinal) return { failure, ...about };
  }
}

/** The question as it goes out, under a nonce of its own that no author of a foreign text can know. */
export async function promptText(context: Context, { name, values = {}, blocks }: ModelWording): Promise<string> {
  const nonce = `${context.freshId()}${context.freshId()}`
    .replace(/[^A-Za-z0-9_-]/g, '')
    .slice(0, 64)
    .padEnd(12, '0');
  const words = (await (await context.wording()).load())[name];
  return questionText(fillPlaceholders(words, { nonce, ...values }), nonce, blocks);
}

interface AnsweringModel {
  readonly model: Model;
  readonly name: string;
}

/** Who would be asked, or why nobody would. */
export async function modelFor(
  context: Pick<Context, 'model' | 'settings' | 'trust'>,
  purpose: ModelPurpose,
  named: NamedModel = {},
): Promise<AnsweringModel | { readonly failure: AskFailure; readonly name: string }> {
  const { settings } = await loadSettings(context);
  const choice = modelChoice(settings, purpose, named);
  if (settings.models.ask === 'never') {
    const reason = 'Models are disabled: models.ask is never.';
    const hint = 'Allow it with `troupe config set models.ask auto`.';
    return { failure: { code: 'no_model', reason, hint, expected: choice.provider !== undefined }, name: 'none' };
  }
  const model = await context.model(choice);
  const name = model.name ?? 'a model';
  try {
    await model.ready();
    return { model, name };
  } catch (error) {
    return { failure: failureOf(error, choice.provider !== undefined), name };
  }
}

/** Refuses before anything is prepared where there is nobody to ask. Errors: `no_model`. */
export async function modelOrRefusal(context: Context, purpose: ModelPurpose): Promise<void> {
  const recipient = await modelFor(context, purpose);
  if ('failure' in recipient)
    throw new TroupeError('no_model', { what: recipient.failure.reason, hint: recipient.failure.hint });
}

async function askedOnce<Answer>(
  model: Model,
  prompt: string,
  { purpose, take, task, signal, timeMs = LIMITS.modelCallMs }: ModelRequest<Answer>,
) {
  let runId: string | undefined;
  let costUsd: number | undefined;
  try {
    const call = model.complete({ prompt, timeMs, purpose, ...(task === undefined ? {} : { task }) });
    const answer = await (signal ? unlessAborted(call, signal) : call);
    ({ runId } = answer);
    costUsd = answer.usage?.costUsd;
    const result = usable(() => take(answer.text));
    return result.failure ? { runId, costUsd, failure: result.failure } : { runId, costUsd, answer: result.answer };
  } catch (error) {
    const failure = failureOf(error);
    if (error instanceof TroupeError) runId ??= error.details['run_id'] as string | undefined;
    return { runId, costUsd, failure };
  }
}

/** What `take` makes of a text. An error it throws says why the text is of no use. */
function usable<Answer>(take: () => Answer | undefined): { answer?: Answer; failure?: AskFailure } {
  try {
    const answer = take();
    if (answer !== undefined) return { answer };
    return { failure: badAnswer('The model did not answer in the requested format.') };
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    return { failure: badAnswer(error.message) };
  }
}

/** An answer that is of no use, and why. */
export function badAnswer(reason: string): AskFailure {
  return { code: 'bad_answer', reason, hint: 'Try again, or continue without a model.', expected: true };
}

const CODES: ReadonlyMap<string, AskFailureCode> = new Map([
  ['no_model', 'no_model'],
  ['budget_spent', 'budget_spent'],
  ['bad_model_answer', 'call_failed'],
]);

function failureOf(error: unknown, expected = true): AskFailure {
  const code = error instanceof TroupeError ? CODES.get(error.code) : undefined;
  if (!(error instanceof TroupeError) || code === undefined) throw error;
  return { code, reason: error.message, hint: error.hint, expected };
}

/** Where the service ends, nobody waits for a model: the next one asks again. */
function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const end = () => reject(new TroupeError('bad_model_answer', { what: 'The service has stopped.' }));
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}

const text = z.optional(z.string());

/** Whom a question for a purpose would go to, before anything is asked. */
export const modelWho = operation({
  name: 'model.who',
  input: z.strictObject({
    purpose: z.enum(MODEL_PURPOSES as [string, ...string[]]),
    provider: z.optional(z.enum(MODEL_PROVIDERS)),
    model: text,
  }),
  output: z.object({
    purpose: z.string(),
    /** As `anthropic claude-haiku-4-5`; null: nobody is asked. */
    asks: z.nullable(z.string()),
    /** Why nobody is. */
    why: text,
  }),
  async run(context, { purpose, provider, model }) {
    const recipient = await modelFor(context, purpose as (typeof MODEL_PURPOSES)[number], { provider, model });
    if ('failure' in recipient) return { purpose, asks: null, why: recipient.failure.reason };
    return { purpose, asks: recipient.name };
  },
});
