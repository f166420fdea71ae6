import * as z from 'zod/mini';
import { forRemoval, takeOut } from '#core/history/departures.js';
import { operation } from '#operations/operation.js';
import {
  changed,
  departedTasks,
  flag,
  momentBefore,
  movedOutShape,
  oneOf,
  personsOnly,
  previewAnswer,
  text,
  texts,
} from './store-shapes.js';

/** Removes what ended without success and nothing active counts on; with `include_done` also what is done. */
export const gc = operation({
  name: 'gc.remove',
  input: z.strictObject({ ids: texts, include_done: flag, older: text, dry_run: flag, list: flag }),
  output: movedOutShape,
  async run(context, input) {
    oneOf(['--list', input.list], ['--dry-run', input.dry_run]);
    oneOf(['--list', input.list], ['task ids', input.ids]);
    const store = await context.graph();
    const view = await store.view();
    if (input.list === true) {
      const gone = [...view.departures()].filter(({ to }) => to === 'gc');
      return previewAnswer('listed', await departedTasks(store, gone), view.seq);
    }
    personsOnly(context, 'remove tasks');
    const endedBefore = momentBefore(context, input.older);
    const selection = { ids: input.ids, endedBefore, includeDone: input.include_done === true };
    if (input.dry_run === true) return previewAnswer('preview', forRemoval(view, selection), view.seq);
    const commit = await store.commit((now) => {
      const tasks = forRemoval(now, selection);
      return { ...takeOut(tasks, 'gc', context.caller.name), result: { tasks } };
    }, context.request);
    return changed('moved', commit.result.tasks, commit);
  },
});
