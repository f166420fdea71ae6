import * as z from 'zod/mini';
import { MODEL_PURPOSES } from '#core/settings/model-choice.js';
import { MODEL_PROVIDERS } from '#core/settings/schema.js';
import { operation } from '#operations/operation.js';
import { modelFor } from './ask.js';

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
    const there = await modelFor(context, purpose as (typeof MODEL_PURPOSES)[number], { provider, model });
    if ('failure' in there) return { purpose, asks: null, why: there.failure.reason };
    return { purpose, asks: there.name };
  },
});
