import * as z from 'zod/mini';
import { DIMENSIONS } from '#core/agency/record-evaluation.js';
import { operation } from '#operations/operation.js';
import { moverOf } from '#operations/shapes.js';
import { keptShape } from './evaluation-shapes.js';
import { keepScore } from './keep-score.js';

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
