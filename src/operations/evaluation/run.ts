import * as z from 'zod/mini';
import { taskOf } from '#core/graph/task-of.js';
import { TroupeError } from '#kernel/errors.js';
import { operation } from '#operations/operation.js';

/** No score is ever made up: without a model to ask, this refuses, and whoever can judge records one. */
export const evaluationRun = operation({
  name: 'evaluation.run',
  input: z.strictObject({ id: z.string() }),
  output: z.never(),
  async run(context, input) {
    const { id } = taskOf(await (await context.graph()).view(), input.id);
    throw new TroupeError('model_required', {
      what: 'evaluate run needs a model; set a provider or use evaluate record.',
      hint: `Score it with \`troupe evaluate record ${id} --score S --source llm\`.`,
      details: { id },
    });
  },
});
