import * as z from 'zod/mini';
import { editTask } from '#core/graph/edit.js';
import { operation } from '#operations/operation.js';
import { checkedDuration, earliest, execModes, movedShape, moverOf, text, texts } from './shapes.js';

export const edit = operation({
  name: 'task.edit',
  input: z.strictObject({
    id: z.string(),
    title: text,
    description: text,
    add_after: texts,
    add_after_success: texts,
    remove_after: texts,
    add_tags: texts,
    remove_tags: texts,
    add_skills: texts,
    remove_skills: texts,
    exec: text,
    exec_mode: z.optional(execModes),
    member: text,
    timeout: text,
    not_before: text,
    delay: text,
    clear: texts,
    strict: z.optional(z.boolean()),
  }),
  output: movedShape,
  async run(context, { id, strict, delay, not_before, ...change }) {
    const store = await context.graph();
    const moment = earliest(context, not_before, delay);
    checkedDuration(change.timeout);
    const commit = await store.commit(
      (view) =>
        editTask(
          view,
          id,
          { ...change, ...(moment === undefined ? {} : { not_before: moment }) },
          { by: moverOf(context), strict },
        ),
      context.request,
    );
    return { ...commit.result, seq: commit.seq };
  },
});
