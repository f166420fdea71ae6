import * as z from 'zod/mini';
import { blueprintSchema } from '#core/catalog/policies.js';
import { operation } from '#operations/operation.js';
import { checkedBlueprint, shippedBlueprint } from './source.js';

export const blueprintList = operation({
  name: 'blueprint.list',
  input: z.strictObject({}),
  output: z.object({ blueprints: z.array(blueprintSchema) }),
  async run(context) {
    return { blueprints: [...(await (await context.catalog()).blueprints()).values()] };
  },
});

export const blueprintShow = operation({
  name: 'blueprint.show',
  input: z.strictObject({ id: z.string() }),
  output: blueprintSchema,
  run: (context, { id }) => shippedBlueprint(context, id),
});

/** Everything that is wrong with a blueprint, at once. */
export const blueprintValidate = operation({
  name: 'blueprint.validate',
  input: z.strictObject({
    id: z.optional(z.string()),
    file: z.optional(z.string()),
    blueprint: z.optional(z.unknown()),
  }),
  output: z.object({ valid: z.boolean(), errors: z.array(z.string()) }),
  async run(context, from) {
    const { valid, errors } = await checkedBlueprint(context, from);
    return { valid, errors: [...errors] };
  },
});
