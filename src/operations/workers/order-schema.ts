import * as z from 'zod/mini';
import { MAIL_RIGHTS } from '#core/mail/conversation.js';
import { PROMPT_PARTS } from '#core/roles/prompt-parts.js';
import { MODES } from '#core/runs/plan.js';
import { checkedJson } from '#kernel/checked-json.js';
import { WORKER_LIMITS } from '#kernel/limits/worker.js';
import type { AttemptOrder, SealedLimit } from '#ports/worker-gateway.js';

const text = z.string();
const whole = z.int();
const amount = z.number().check(z.nonnegative());
const maybe = z.exactOptional;
/** Optional: left out of the JSON if undefined. */
const left = z.optional;

/** A full commit hash: the worker's repository must contain the commit, otherwise there is no attempt. */
const commit = text.check(z.regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/));
const taskMode = z.enum([...MODES, 'shell']);

const request = z.strictObject({
  taskId: text,
  runId: text,
  model: left(text),
  provider: left(text),
  mode: z.enum(MODES),
  sessionId: left(text),
  resume: left(z.boolean()),
  budgetUsd: left(amount),
  prompt: text,
  agents: z.record(text, z.strictObject({ description: text, prompt: text })),
  values: left(
    z.strictObject({
      task_title: maybe(text),
      task_description: maybe(text),
      task_context: maybe(text),
      task_identity: maybe(text),
      skills_preamble: maybe(text),
      task_loop_info: maybe(text),
    }),
  ),
});

const limit = z.strictObject({ usd: maybe(amount), tokens: maybe(amount) });

const client = z.strictObject({
  request,
  before: maybe(
    z.strictObject({
      input_tokens: amount,
      output_tokens: amount,
      cache_read_input_tokens: amount,
      cache_creation_input_tokens: amount,
      cost_usd: maybe(amount),
      estimated_usd: maybe(amount),
    }),
  ),
  price: maybe(z.strictObject({ input: amount, output: amount, cacheRead: amount, cacheWrite: amount })),
  limit: maybe(limit),
  strategy: maybe(text),
  roleParts: maybe(z.array(z.strictObject({ part: z.enum(PROMPT_PARTS), bytes: whole, sha256: text }))),
  check: maybe(text),
  silentEnd: z.enum(['ask', 'done']),
  mail: z.enum(MAIL_RIGHTS),
});

const plan = z.strictObject({
  id: text,
  taskId: text,
  fence: whole,
  command: text,
  check: text,
  environment: z.record(text, text),
  timeoutMs: amount,
  startedAt: amount,
  executor: maybe(text),
  client: maybe(client),
  tree: maybe(z.strictObject({ attempt: whole, mode: taskMode })),
  sandboxed: z.boolean(),
});

const tree = z.strictObject({
  task: text,
  attempt: whole,
  base: commit,
  publishedAs: maybe(text),
  fresh: maybe(z.boolean()),
  copy: maybe(z.array(text)),
  since: maybe(whole),
  readOnly: maybe(z.boolean()),
  trial: maybe(z.boolean()),
});

const orderSchema: z.ZodMiniType<AttemptOrder> = z.strictObject({ plan, tree, setsUp: z.boolean() });
const limitSchema: z.ZodMiniType<SealedLimit> = z.strictObject({ run: text, fence: whole, limit });

/**
 * Parses an order, or returns the fault. Unknown fields are faults, because they could change the meaning of the
 * others.
 */
export const orderIn = (json: string) => checkedJson(json, orderSchema, WORKER_LIMITS.orderCharacters);
/** Parses a signed limit of a run. */
export const sealedLimitIn = (json: string) => checkedJson(json, limitSchema, WORKER_LIMITS.orderCharacters);
