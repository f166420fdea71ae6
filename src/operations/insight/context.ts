import * as z from 'zod/mini';
import { packetOf } from '#core/insight/packet.js';
import { operation } from '#operations/operation.js';
import { ids, list, nullableText, status } from './shapes.js';

const entry = z.object({ timestamp: z.string(), actor: z.optional(z.string()), message: z.string() });

/** What whoever does a task is given to know. */
export const showContext = operation({
  name: 'task.context',
  input: z.strictObject({ id: z.string(), dependents: z.optional(z.boolean()) }),
  output: z.object({
    id: z.string(),
    title: z.string(),
    status,
    description: z.string(),
    inputs: ids,
    skills: ids,
    deliverables: ids,
    log: list(entry),
    checkpoint: nullableText,
    predecessors: list(
      z.object({
        id: z.string(),
        title: z.string(),
        status,
        artifacts: ids,
        log: list(entry),
        failure_reason: nullableText,
      }),
    ),
    dependents: z.optional(list(z.object({ id: z.string(), title: z.string(), status, inputs: ids }))),
  }),
  async run(context, input) {
    const view = await (await context.graph()).view();
    return packetOf(view, input.id, { dependents: input.dependents === true });
  },
});
