import * as z from 'zod/mini';
import { addTask } from '#core/graph/add.js';
import { operation } from '#operations/operation.js';
import { checkedDuration, earliest, execModes, text, texts } from './shapes.js';

export const add = operation({
  name: 'task.add',
  input: z.strictObject({
    title: z.string(),
    id: text,
    description: text,
    after: texts,
    after_success: texts,
    tags: texts,
    skills: texts,
    inputs: texts,
    deliverables: texts,
    exec: text,
    exec_mode: z.optional(execModes),
    not_before: text,
    delay: text,
    timeout: text,
    member: text,
    hours: z.optional(z.number()),
    cost: z.optional(z.number()),
    paused: z.optional(z.boolean()),
    strict: z.optional(z.boolean()),
  }),
  output: z.object({
    id: z.string(),
    title: z.string(),
    warnings: z.readonly(z.array(z.string())),
    seq: z.number(),
  }),
  async run(context, { strict, delay, not_before, ...draft }) {
    const store = await context.graph();
    const moment = earliest(context, not_before, delay);
    checkedDuration(draft.timeout);
    const commit = await store.commit(
      (view) =>
        addTask(
          view,
          { ...draft, ...(moment === undefined ? {} : { not_before: moment }) },
          { now: context.clock.now(), actor: context.caller.name, strict: strict === true },
        ),
      context.request,
    );
    return { ...commit.result, title: draft.title.trim(), seq: commit.seq };
  },
});
