import * as z from 'zod/mini';
import { operation } from '#operations/operation.js';

/** Whom one can cast, in the catalog's order. */
export const archetypes = operation({
  name: 'casting.archetypes',
  input: z.strictObject({}),
  output: z.object({
    archetypes: z.array(
      z.object({ id: z.string(), title: z.string(), summary: z.string(), domain: z.string(), leads: z.boolean() }),
    ),
  }),
  async run(context) {
    const catalog = await (await context.catalog()).load();
    return {
      archetypes: catalog.menu.map(({ id, title, summary, domain, leads }) => ({ id, title, summary, domain, leads })),
    };
  },
});
