import * as z from 'zod/mini';
import { operation } from '#operations/operation.js';

/** The ready-made groups, in the catalog's order. */
export const scenarios = operation({
  name: 'casting.scenarios',
  input: z.strictObject({}),
  output: z.object({
    scenarios: z.array(
      z.object({ id: z.string(), title: z.string(), description: z.string(), archetypes: z.array(z.string()) }),
    ),
  }),
  async run(context) {
    const catalog = await (await context.catalog()).load();
    return {
      scenarios: [...catalog.groupings].map(([id, { title, description, archetypes }]) => ({
        id,
        title,
        description,
        archetypes: [...archetypes],
      })),
    };
  },
});
