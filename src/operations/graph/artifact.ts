import * as z from 'zod/mini';
import { insideProject } from '#core/graph/inside-project.js';
import { artifactTask } from '#core/graph/moves.js';
import { taskOf } from '#core/graph/task-of.js';
import { operation } from '#operations/operation.js';
import { moverOf, text, texts } from '#operations/shapes.js';

/** With paths: registers them (or forgets them). Without: the artifacts there are. */
export const artifact = operation({
  name: 'task.artifact',
  input: z.strictObject({ id: z.string(), paths: texts, remove: z.optional(z.boolean()), actor: text }),
  output: z.object({ id: z.string(), seq: z.number(), artifacts: z.readonly(z.array(z.string())) }),
  async run(context, input) {
    const store = await context.graph();
    const given = input.paths ?? [];
    const inside = (file: string) => insideProject(context.projectFolder, file);
    // What was kept in another form can still be forgotten, named as it stands there.
    const kept = new Set(taskOf(await store.view(), input.id).artifacts);
    const paths = given.map((file) => (input.remove === true && kept.has(file) ? file : inside(file)));
    if (paths.length > 0) {
      const options = { now: context.clock.now(), by: moverOf(context, input.actor), remove: input.remove };
      await store.commit((view) => artifactTask(view, input.id, paths, options), context.request);
    }
    const view = await store.view();
    return { id: input.id, seq: view.seq, artifacts: taskOf(view, input.id).artifacts ?? [] };
  },
});
