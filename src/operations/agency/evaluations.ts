import * as z from 'zod/mini';
import { evaluationsOf } from '#core/agency/list-evaluations.js';
import { DIMENSIONS } from '#core/agency/record-evaluation.js';
import { taskOf } from '#core/graph/task-of.js';
import { LIMITS } from '#kernel/limits.js';
import { operation } from '#operations/operation.js';
import { moverOf } from '#operations/shapes.js';
import { loadAgency } from './open.js';
import { keepScore } from './record-score.js';

const text = z.optional(z.string());

/** What is answered of a score that is kept. */
export const scoreAnswerShape = z.object({
  task_id: z.string(),
  evaluation_id: z.string(),
  score: z.number(),
  dimensions: z.record(z.string(), z.number()),
  notes: z.string(),
  evaluator: z.string(),
  model: z.optional(z.string()),
  source: z.string(),
  path: z.string(),
  seq: z.number(),
  warnings: z.optional(z.array(z.string())),
});

/** A score from outside, kept beside the others and on the record of whoever did the work. */
export const evaluationRecord = operation({
  name: 'evaluation.record',
  input: z.strictObject({
    id: z.string(),
    evaluation_id: text,
    score: z.number(),
    source: text,
    dimensions: z.optional(z.array(z.string()).check(z.maxLength(DIMENSIONS.length))),
    notes: text,
    actor: text,
  }),
  output: scoreAnswerShape,
  async run(context, { id, actor, ...verdict }) {
    return await keepScore(context, id, verdict, moverOf(context, actor));
  },
});

const SHOWN = 50;

/** What was said of a task, or of all of them, newest first; or one evaluation by its id. */
export const evaluationShow = operation({
  name: 'evaluation.show',
  input: z.strictObject({
    id: text,
    task: text,
    agent: text,
    source: text,
    limit: z.optional(z.int().check(z.minimum(1), z.maximum(LIMITS.evaluationsShown))),
  }),
  output: z.object({
    evaluations: z.array(
      z.object({
        id: z.string(),
        task_id: z.string(),
        agent_id: z.nullable(z.string()),
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
    const { id, task, source } = input;
    const agent = input.agent === undefined ? undefined : (await loadAgency(context)).find('agent', input.agent).id;
    const found = evaluationsOf(records, { id, task, agent, source });
    if (found.length === 0) for (const named of [id, task]) if (named !== undefined) taskOf(view, named);
    const shown = found.slice(0, input.limit ?? SHOWN).map((one) => ({ ...one, dimensions: { ...one.dimensions } }));
    return { evaluations: shown, total: found.length, warnings };
  },
});
