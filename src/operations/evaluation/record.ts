import * as z from 'zod/mini';
import { gateEvents, isPassed } from '#core/evaluation/gate.js';
import { DIMENSIONS, type Evaluation, evaluationOf, recordEvaluation } from '#core/evaluation/record.js';
import { TroupeError } from '#kernel/errors.js';
import { approve } from '#operations/graph/approve.js';
import { moverOf } from '#operations/graph/shapes.js';
import { type Context, operation } from '#operations/operation.js';
import type { TraceFiles } from '#ports/trace-files.js';

const LATER_MOST_MS = 1_000;

const text = z.optional(z.string());

/** A score from outside: a file beside the other evaluations, and an event that tells of it. */
export const evaluationRecord = operation({
  name: 'evaluation.record',
  input: z.strictObject({
    id: z.string(),
    score: z.number(),
    source: text,
    dimensions: z.optional(z.array(z.string()).check(z.maxLength(DIMENSIONS.length))),
    notes: text,
    actor: text,
  }),
  output: z.object({
    task_id: z.string(),
    evaluation_id: z.string(),
    score: z.number(),
    dimensions: z.record(z.string(), z.number()),
    notes: z.string(),
    evaluator: z.string(),
    source: z.string(),
    path: z.string(),
    seq: z.number(),
    warnings: z.optional(z.array(z.string())),
  }),
  async run(context, input) {
    const store = await context.graph();
    const files = await context.traceFiles();
    const by = moverOf(context, input.actor);
    const view = await store.view();
    const now = context.clock.now();
    const made = (at: number) => evaluationOf(view, input.id, input, by, at);
    const { evaluation, path } = await keep(files, made, now);
    const answer = answerOf(evaluation, path);
    let used = false;
    try {
      let decided = false;
      const commit = await store.commit((present) => {
        evaluationOf(present, input.id, input, by, now); // refuses when the task went on in between
        decided = true;
        return recordEvaluation(evaluation, answer, gateEvents(present, evaluation, by, now));
      }, context.request);
      used = decided; // else the request was answered before, with another file
      const warnings = isPassed(await store.view(), evaluation) ? await approved(context, evaluation) : [];
      return { ...commit.result, seq: commit.seq, ...(warnings.length > 0 ? { warnings } : {}) };
    } finally {
      if (!used) await files.dropEvaluation(evaluation.id);
    }
  },
});

/** A task that has the score it waited for is done, its work taken over. Why it cannot be, is said; a person can go on from there. */
async function approved(context: Context, { task_id, score, evaluator }: Evaluation): Promise<string[]> {
  const reason = `evaluation passed: score ${score.toFixed(2)}`;
  try {
    const done = await approve.run({ ...context, request: {} }, { id: task_id, reason, actor: evaluator });
    return [...done.warnings];
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    return [`${task_id} is not done yet: ${error.message}`];
  }
}

/** An id holds the moment: what comes in the same millisecond takes the next one that is free. */
async function keep(files: TraceFiles, made: (at: number) => Evaluation, now: number) {
  for (let at = now; at <= now + LATER_MOST_MS; at++) {
    const evaluation = made(at);
    const path = await files.keepEvaluation(evaluation);
    if (path !== undefined) return { evaluation, path };
  }
  throw new TroupeError('too_many', { what: 'Too many scores for one task in the same moment.' });
}

function answerOf(evaluation: Evaluation, path: string) {
  const { id, task_id, score, dimensions, notes, evaluator, source } = evaluation;
  return { task_id, evaluation_id: id, score, dimensions: { ...dimensions }, notes, evaluator, source, path };
}
