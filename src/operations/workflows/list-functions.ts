import * as z from 'zod/mini';
import type { TraceFunction } from '#core/workflows/function.js';
import { parseFunction } from '#core/workflows/function-file.js';
import { asTroupeError } from '#kernel/errors.js';
import { operation } from '#operations/operation.js';
import { named } from './function-source.js';

const rowShape = z.object({
  id: z.string(),
  name: z.optional(z.string()),
  description: z.optional(z.string()),
  version: z.number(),
  /** Can it be applied without a model? */
  fixed: z.boolean(),
  task_count: z.number(),
  input_count: z.number(),
  inputs: z.optional(z.array(z.object({ name: z.string(), type: z.string(), required: z.boolean() }))),
  tasks: z.optional(z.array(z.object({ template_id: z.string(), title: z.string() }))),
});

/** The functions of this project, and the files that are none. */
export const list = operation({
  name: 'func.list',
  input: z.strictObject({ verbose: z.optional(z.boolean()), include_peers: z.optional(z.boolean()) }),
  output: z.object({
    functions: z.array(rowShape),
    problems: z.array(z.object({ id: z.string(), code: z.string(), message: z.string() })),
    /** The peers that were asked; there are none to ask yet. */
    peers: z.optional(z.array(z.string())),
  }),
  async run(context, input) {
    const listed = await (await context.functions()).list();
    const functions: z.infer<typeof rowShape>[] = [];
    const problems: { id: string; code: string; message: string }[] = [];
    for (const entry of listed) {
      try {
        if (entry.file === undefined) throw entry.error;
        const { value, name } = entry.file;
        functions.push(rowOf(named(parseFunction(value, name), entry.id, name), input.verbose === true));
      } catch (error) {
        const { code, message } = asTroupeError(error);
        problems.push({ id: entry.id, code, message });
      }
    }
    return { functions, problems, ...(input.include_peers === true ? { peers: [] } : {}) };
  },
});

function rowOf(found: TraceFunction, verbose: boolean): z.infer<typeof rowShape> {
  const { id, name, description, version, fixed, inputs, tasks } = found;
  return {
    id,
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    version,
    fixed,
    task_count: tasks.length,
    input_count: inputs.length,
    ...(verbose
      ? {
          inputs: inputs.map((input) => ({ name: input.name, type: input.type, required: input.required === true })),
          tasks: tasks.map((template) => ({ template_id: template.template_id, title: template.title })),
        }
      : {}),
  };
}
