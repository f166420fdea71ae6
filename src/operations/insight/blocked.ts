import * as z from 'zod/mini';
import { taskOf } from '#core/graph/task-of.js';
import { heldBy } from '#core/insight/blocking.js';
import { briefOf } from '#core/insight/brief.js';
import { operation } from '#operations/operation.js';
import { brief, list, nullableText } from './shapes.js';

/** The predecessors a task waits for right now. */
export const blocked = operation({
  name: 'task.blocked',
  input: z.strictObject({ id: z.string() }),
  output: z.object({ task: brief, blockers: list(z.extend(brief, { assigned: nullableText })) }),
  async run(context, input) {
    const view = await (await context.graph()).view();
    const task = taskOf(view, input.id);
    return {
      task: briefOf(task),
      blockers: heldBy(view, task, context.clock.now()).map((other) => ({
        ...briefOf(other),
        assigned: other.assigned ?? null,
      })),
    };
  },
});
