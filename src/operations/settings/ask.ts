import * as z from 'zod/mini';
import { fillPlaceholders, type WordingName } from '#core/runs/prompt-wording.js';
import { MODEL_PURPOSES, type ModelPurpose, modelChoice } from '#core/settings/model-choice.js';
import { MODEL_PROVIDERS, type ModelProvider } from '#core/settings/schema.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { type Block, questionText } from '#kernel/question.js';
import type { MachineContext, ModelContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { loadSettings } from '#operations/load-settings.js';
import { type Context, operation } from '#operations/operation.js';
import type { Model } from '#ports/model.js';

/** A model explicitly named for one question. */
export interface NamedModel {
  readonly provider?: ModelProvider | undefined;
  readonly model?: string | undefined;
}

/** Prompt for a model: our wording, and all untrusted text as blocks. */
export interface ModelWording {
  readonly name: WordingName;
  readonly values?: Readonly<Record<string, string | number>>;
  readonly blocks: readonly Block[];
}

export interface ModelRequest<Answer> extends ModelWording {
  readonly purpose: ModelPurpose;
  /** Parses the text of an answer. Returns undefined, or throws a coded error with the reason, if it is unusable. */
  readonly take: (text: string) => Answer | undefined;
  /** The task it is about, to whose budget it counts. */
  readonly task?: string | undefined;
  /** Maximum attempts until an answer is usable; 1 by default. */
  readonly tries?: number;
  readonly timeMs?: number;
  /** Aborted when the answer is no longer needed. */
  readonly signal?: AbortSignal | undefined;
  readonly named?: NamedModel | undefined;
}

/**
 * Reason for a missing answer, the same four for every question: no model, no budget, a failed call, or an unusable
 * answer.
 */
export type AskFailureCode = 'no_model' | 'budget_spent' | 'call_failed' | 'bad_answer';

export interface AskFailure {
  readonly code: AskFailureCode;
  /** A sentence. */
  readonly reason: string;
  readonly hint: string;
  /** Whether a provider was named explicitly or by a setting; otherwise no model is expected. */
  readonly expected: boolean;
}

export type ModelReply<Answer> = (
  | { readonly answer: Answer; readonly failure?: undefined }
  | { readonly answer?: undefined; readonly failure: AskFailure }
) & {
  /** The model asked, such as `anthropic claude-haiku-4-5`. */
  readonly model: string;
  /** Ids of the call records, in order. */
  readonly runIds: readonly string[];
  /** The prompt; empty if no model was asked. */
  readonly prompt: string;
  /** Total cost of the calls, as far as the provider reported it. */
  readonly costUsd?: number;
};

/**
 * The only way to ask a model: uses the model configured for the purpose, with untrusted text fenced and secrets
 * removed, within the budget, and records each call. Returns the result of `take` or the failure; throws only errors
 * unrelated to models. Holds no lock meanwhile.
 */
export async function ask<Answer>(
  context: ModelContext & MachineContext,
  question: ModelRequest<Answer>,
): Promise<ModelReply<Answer>> {
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
    const isFinal = failure.code === 'budget_spent' || question.signal?.aborted === true; // a retry cannot help
    if (attempt >= tries || isFinal) return { failure, ...about };
  }
}

/** The final prompt, with a fresh nonce that no author of untrusted text can know. */
export async function promptText(
  context: Pick<Context, 'freshId' | 'wording'>,
  { name, values = {}, blocks }: ModelWording,
): Promise<string> {
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

/** The model that would be asked, or the reason why there is none. */
export async function modelFor(
  context: ModelContext & MachineContext,
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

/** Refuses early if no model is available. Errors: `no_model`. */
export async function modelOrRefusal(context: ModelContext & MachineContext, purpose: ModelPurpose): Promise<void> {
  const recipient = await modelFor(context, purpose);
  if ('failure' in recipient)
    throw new TroupeError('no_model', { what: recipient.failure.reason, hint: recipient.failure.hint });
}

async function askedOnce<Answer>(
  model: Model,
  prompt: string,
  { purpose, take, task, signal, timeMs = TEAM_LIMITS.modelCallMs }: ModelRequest<Answer>,
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

/** Result of `take`; an error it throws is the reason why the text is unusable. */
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

/** Failure for an unusable answer. */
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

/** Rejects when the service ends, because it does not wait for models; the next service asks again. */
function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const end = () => reject(new TroupeError('bad_model_answer', { what: 'The service has stopped.' }));
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}

const text = z.optional(z.string());

/** The model that a question for a purpose would go to, without asking it. */
export const modelWho = operation({
  name: 'model.who',
  command: 'model who',
  group: 'Settings',
  kind: 'read',
  where: 'caller',
  graphless: true,
  instead: 'executor list --purpose',
  summary: 'Show which model would be asked for a purpose, without asking it',
  examples: ['troupe executor list --purpose casting', 'troupe executor list --purpose evaluator --json'],
  input: z.strictObject({
    purpose: argument(
      'casting, evaluator, assigner, triage, placing …',
      z.enum(MODEL_PURPOSES as [string, ...string[]]),
    ),
    provider: option('Assume this provider', z.optional(z.enum(MODEL_PROVIDERS)), { value: 'NAME' }),
    model: option('Assume this model', text, { value: 'MODEL' }),
  }),
  output: z.object({
    purpose: z.string(),
    /** Such as `anthropic claude-haiku-4-5`; null if no model would be asked. */
    asks: z.nullable(z.string()),
    /** Reason why no model would be asked. */
    why: text,
  }),
  async run(context: ModelContext & MachineContext, { purpose, provider, model }) {
    const recipient = await modelFor(context, purpose as (typeof MODEL_PURPOSES)[number], { provider, model });
    if ('failure' in recipient) return { purpose, asks: null, why: recipient.failure.reason };
    return { purpose, asks: recipient.name };
  },
});
