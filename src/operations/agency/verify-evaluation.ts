import * as z from 'zod/mini';
import { blocksOf } from '#core/agency/evaluation-judge.js';
import { doubtOf, doubtText, verificationIn, verifyFlip } from '#core/agency/flip.js';
import { taskOf } from '#core/graph/task-of.js';
import { promptOf } from '#operations/models/ask.js';
import { operation } from '#operations/operation.js';
import { moverOf } from '#operations/shapes.js';
import { judged } from './judgement.js';
import { doerBlocks, output, requestBlocks } from './work-shown.js';

const text = z.optional(z.string());

/**
 * Has a stronger model look into work whose output shows badly what it was for: it confirms the work or rejects it, and mends
 * nothing. Without a model, and when it answers something else, the work stays as it is.
 */
export const evaluationVerify = operation({
  name: 'evaluation.verify',
  input: z.strictObject({ id: z.string(), model: text, dry_run: z.optional(z.boolean()) }),
  output: z.object({
    task_id: z.string(),
    verdict: z.optional(z.enum(['confirmed', 'rejected', 'moot'])),
    reason: text,
    status: text,
    evaluation_id: text,
    score: z.optional(z.number()),
    model: text,
    seq: z.optional(z.number()),
    warnings: z.optional(z.readonly(z.array(z.string()))),
    /** What would be asked; then nothing else is answered. */
    prompt: text,
  }),
  async run(context, { id, model: named, dry_run: dry }) {
    const by = moverOf(context);
    const store = await context.graph();
    const view = await store.view();
    const check = doubtOf(view, id, by);
    const task = taskOf(view, id);
    if ('moot' in check)
      return { task_id: id, verdict: 'moot' as const, reason: check.moot, status: task.status, seq: view.seq };
    const record = await (await context.traceFiles()).evaluation(check.evaluation);
    const blocks = [
      ...requestBlocks(task),
      ...(await doerBlocks(context, task)),
      ...(await output(context, task)),
      ['why it is in doubt', doubtText(check, record)] as const,
    ];
    const wording = { name: 'flip-verify', blocks: blocksOf(blocks) } as const;
    if (dry === true) return { task_id: id, prompt: await promptOf(context, wording) };
    const { answer: said, model } = await judged(context, {
      ...{ ...wording, purpose: 'flip_verification', task: id, named: { model: named } },
      take: verificationIn,
    });
    const options = { by, now: context.clock.now() };
    const { result, seq } = await store.commit((now) => verifyFlip(now, id, check, said, options), context.request);
    const { evaluation, score } = check;
    return { ...result, evaluation_id: evaluation, score, model, seq };
  },
});
