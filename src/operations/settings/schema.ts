import * as z from 'zod/mini';
import { TroupeError } from '#kernel/errors.js';
import { didYouMean } from '#kernel/text.js';
import { operation } from '#operations/operation.js';
import { FORMATS, jsonSchema } from './formats.js';

/** The JSON Schema of one kind of file, or which kinds there are. */
export const schema = operation({
  name: 'format.schema',
  input: z.strictObject({ name: z.optional(z.string()) }),
  output: z.looseObject({
    formats: z.optional(z.array(z.object({ name: z.string(), file: z.string(), about: z.string() }))),
  }),
  async run(_context, { name }) {
    if (name === undefined) return { formats: FORMATS.map(({ name, file, about }) => ({ name, file, about })) };
    const format = FORMATS.find((candidate) => candidate.name === name);
    if (format) return jsonSchema(format);
    const near = didYouMean(
      name.slice(0, 60),
      FORMATS.map((candidate) => candidate.name),
    );
    throw new TroupeError('not_found', {
      what: `There is no format ${JSON.stringify(name.slice(0, 60))}.`,
      hint: near ? `Did you mean ${near}?` : 'Run `troupe schema` to see them.',
    });
  },
});
