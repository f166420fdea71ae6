import * as z from 'zod/mini';
import { addResource } from '#core/graph/resource.js';
import { operation } from '#operations/operation.js';
import { committed, moverOf, text } from '#operations/shapes.js';

export const resourceAdd = operation({
  name: 'resource.add',
  input: z.strictObject({
    id: z.string(),
    name: text,
    type: text,
    available: z.optional(z.number()),
    unit: text,
  }),
  output: z.object({ resource: z.string(), changed: z.boolean(), seq: committed.seq, events: committed.events }),
  async run(context, input) {
    const store = await context.graph();
    const commit = await store.commit((view) => addResource(view, input, moverOf(context)), context.request);
    const events = commit.entries.map(({ seq, op }) => ({ seq, op }));
    return { ...commit.result, seq: commit.seq, events };
  },
});
