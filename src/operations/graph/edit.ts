import * as z from 'zod/mini';
import { editTask } from '#core/graph/edit.js';
import { operation } from '#operations/operation.js';
import {
  answer,
  checkedDuration,
  earliest,
  editable,
  flag,
  movedShape,
  moverOf,
  text,
  texts,
  unknownPolicy,
} from '#operations/shapes.js';
import { agentNamed } from './agent-named.js';

export const edit = operation({
  name: 'task.edit',
  input: z.strictObject({
    id: z.string(),
    title: text,
    add_after: texts,
    add_after_success: texts,
    remove_after: texts,
    add_tags: texts,
    remove_tags: texts,
    add_skills: texts,
    remove_skills: texts,
    ...editable,
    clear: texts,
    strict: flag,
    allow_unknown: flag,
  }),
  output: movedShape,
  async run(context, { id, strict, allow_unknown, not_before, ...change }) {
    const store = await context.graph();
    const moment = earliest(context, not_before, change.delay);
    checkedDuration(change.timeout);
    const agent = await agentNamed(context, change.agent);
    const commit = await store.commit(
      (view) =>
        editTask(
          view,
          id,
          { ...change, agent, not_before: moment },
          {
            by: moverOf(context),
            unknown: unknownPolicy({ strict, allow_unknown }),
          },
        ),
      context.request,
    );
    return await answer(store, commit);
  },
});
