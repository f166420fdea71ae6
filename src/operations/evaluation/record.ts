import * as z from 'zod/mini';
import { DIMENSIONS } from '#core/evaluation/record.js';
import { moverOf } from '#operations/graph/shapes.js';
import { operation } from '#operations/operation.js';
import { keepScore } from './keep-score.js';
import { keptShape } from './shapes.js';

const text = z.optional(z.string());

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
  output: keptShape,
  async run(context, { id, actor, ...verdict }) {
    return await keepScore(context, id, verdict, moverOf(context, actor));
  },
});
