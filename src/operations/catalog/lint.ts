import * as z from 'zod/mini';
import { operation } from '#operations/operation.js';

/** Looks at every entry the project adds, and names all that is wrong, not only the first. */
export const lint = operation({
  name: 'catalog.lint',
  input: z.strictObject({}),
  output: z.object({
    ok: z.boolean(),
    files: z.number(),
    problems: z.array(
      z.object({ code: z.string(), message: z.string(), file: z.nullable(z.string()), line: z.nullable(z.number()) }),
    ),
  }),
  async run(context) {
    const { files, problems } = await (await context.catalog()).lint();
    return {
      ok: problems.length === 0,
      files,
      problems: problems.map(({ code, message, details }) => ({
        code,
        message,
        file: typeof details['file'] === 'string' ? details['file'] : null,
        line: typeof details['line'] === 'number' ? details['line'] : null,
      })),
    };
  },
});
