import * as z from 'zod/mini';
import { taskOf } from '#core/graph/task-of.js';
import { whyFacts } from '#core/insight/why.js';
import { operation } from '#operations/operation.js';
import { coordinationIn } from './coordination.js';
import { ids, list, nullableText } from './shapes.js';

/** The facts that keep a task from running, the one that counts most first; never empty. */
export const why = operation({
  name: 'task.why',
  input: z.strictObject({ id: z.string() }),
  output: list(z.object({ code: z.string(), text: z.string(), since: nullableText, until: nullableText, refs: ids })),
  async run(context, input) {
    const view = await (await context.graph()).view();
    return whyFacts(view, taskOf(view, input.id), context.clock.now(), await coordinationIn(context, view));
  },
});
