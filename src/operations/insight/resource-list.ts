import * as z from 'zod/mini';
import { sortedById } from '#core/graph/line.js';
import { isResource } from '#core/graph/resource.js';
import { operation } from '#operations/operation.js';

export const resourceList = operation({
  name: 'resource.list',
  input: z.strictObject({}),
  output: z.object({
    resources: z.readonly(z.array(z.looseObject({ kind: z.literal('resource'), id: z.string() }))),
  }),
  async run(context) {
    const view = await (await context.graph()).view();
    return { resources: sortedById(view.nodes()).filter(isResource) };
  },
});
