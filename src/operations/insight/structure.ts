import * as z from 'zod/mini';
import { structureOf } from '#core/insight/structure.js';
import { operation } from '#operations/operation.js';
import { ids, list, nullableText, status } from './shapes.js';

export const structure = operation({
  name: 'analysis.structure',
  input: z.strictObject({}),
  output: z.object({
    entry_points: ids,
    dead_ends: list(z.object({ id: z.string(), status, expected: z.boolean(), warning: nullableText })),
    high_impact_roots: list(z.object({ id: z.string(), transitive_dependents: z.number() })),
  }),
  async run(context) {
    return structureOf(await (await context.graph()).view());
  },
});
