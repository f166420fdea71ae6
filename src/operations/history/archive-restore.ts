import * as z from 'zod/mini';
import { bringBack, departedOf } from '#core/history/departures.js';
import { operation } from '#operations/operation.js';
import { changed, flag, keptTasks, movedOutShape, personsOnly } from './store-shapes.js';

/** Brings tasks back that were archived or removed by `gc`, as they were or open. */
export const archiveRestore = operation({
  name: 'archive.restore',
  input: z.strictObject({ ids: z.array(z.string()).check(z.minLength(1)), reopen: flag }),
  output: movedOutShape,
  async run(context, input) {
    personsOnly(context, 'bring tasks back');
    const store = await context.graph();
    const view = await store.view();
    const tasks = await keptTasks(
      store,
      [...new Set(input.ids)].map((id) => departedOf(view, id)),
    );
    const options = { now: context.clock.now(), by: context.caller.name, reopen: input.reopen === true };
    const commit = await store.commit((now) => bringBack(now, tasks, options), context.request);
    const present = await store.view();
    return changed(
      'restored',
      tasks.map((task) => present.task(task.id) ?? task),
      commit,
    );
  },
});
