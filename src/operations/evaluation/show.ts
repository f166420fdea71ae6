import * as z from 'zod/mini';
import { evaluationsOf } from '#core/evaluation/list.js';
import { taskOf } from '#core/graph/task-of.js';
import { LIMITS } from '#kernel/limits.js';
import { operation } from '#operations/operation.js';

const SHOWN = 50;

/** What was said of a task, or of all of them, newest first; or one evaluation by its id. */
export const evaluationShow = operation({
  name: 'evaluation.show',
  input: z.strictObject({
    id: z.optional(z.string()),
    limit: z.optional(z.int().check(z.minimum(1), z.maximum(LIMITS.evaluationsShown))),
  }),
  output: z.object({
    evaluations: z.array(
      z.object({
        id: z.string(),
        task_id: z.string(),
        score: z.number(),
        dimensions: z.record(z.string(), z.number()),
        notes: z.string(),
        evaluator: z.string(),
        source: z.string(),
        timestamp: z.string(),
      }),
    ),
    /** How many there are; `evaluations` may show fewer. */
    total: z.number(),
    warnings: z.readonly(z.array(z.string())),
  }),
  async run(context, input) {
    const view = await (await context.graph()).view();
    const { records, warnings } = await (await context.traceFiles()).evaluations();
    const found = evaluationsOf(records, input.id);
    if (input.id !== undefined && found.length === 0) taskOf(view, input.id);
    const shown = found.slice(0, input.limit ?? SHOWN).map((one) => ({ ...one, dimensions: { ...one.dimensions } }));
    return { evaluations: shown, total: found.length, warnings };
  },
});
