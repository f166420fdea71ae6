import * as z from 'zod/mini';
import { readiness } from '#core/graph/ready.js';
import { operation } from '#operations/operation.js';

const estimateShape = z.looseObject({ hours: z.optional(z.number()), cost: z.optional(z.number()) });
const readyShape = z.object({
  id: z.string(),
  title: z.string(),
  member: z.optional(z.string()),
  tags: z.readonly(z.array(z.string())),
  estimate: z.optional(estimateShape),
});

/** What could be claimed now, in the order in which the coordinator would take it. */
export const ready = operation({
  name: 'task.ready',
  input: z.strictObject({}),
  output: z.object({ tasks: z.array(readyShape) }),
  async run(context) {
    const view = await (await context.graph()).view();
    const now = context.clock.now();
    const tasks = [...view.candidates()]
      .filter((id) => (view.readyAt(id) ?? now) <= now || readiness(view, id, now).ready)
      .sort((left, right) => (view.readyAt(left) ?? 0) - (view.readyAt(right) ?? 0) || (left < right ? -1 : 1))
      .map((id) => view.task(id))
      .filter((task) => task !== undefined);
    return {
      tasks: tasks.map((task) => ({
        id: task.id,
        title: task.title,
        ...(task.member === undefined ? {} : { member: task.member }),
        tags: task.tags ?? [],
        ...(task.estimate === undefined ? {} : { estimate: { ...task.estimate } }),
      })),
    };
  },
});
