import path from 'node:path';
import * as z from 'zod/mini';
import type { TraceFunction } from '#core/workflows/function.js';
import { type FunctionInFile, functionSchema, parseFunction } from '#core/workflows/function-file.js';
import { asTroupeError, TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';
import { type Context, operation } from '#operations/operation.js';

/** A function of this project. */
export async function ownFunction(context: Context, id: string): Promise<FunctionInFile> {
  const file = await (await context.functions()).read(id);
  return requireId(parseFunction(file.value, file.name), id, file.name);
}

/** A function from elsewhere: a file, another project, later a peer. A run sees nothing outside its own project. */
export async function foreignFunction(context: Context, from: string, id: string | undefined): Promise<FunctionInFile> {
  if (/^[A-Za-z0-9._-]+(:[^/\\]*)?$/.test(from) && !/^\.|\.ya?ml$/i.test(from)) {
    const peer = cut(inert(from.split(':')[0] ?? from), 60);
    throw new TroupeError('unknown_peer', {
      what: `There is no peer ${peer}: no peers are configured for this project.`,
      details: { peer },
    });
  }
  const place = path.resolve(context.projectFolder, from);
  const file = await (await context.functions()).readFrom(place, id, context.caller.kind === 'run');
  const definition = parseFunction(file.value, path.basename(file.name));
  return id === undefined ? definition : requireId(definition, id, file.name);
}

/** A file is called as the function in it, so that nobody gets another one than asked for. */
function requireId<Definition extends { readonly id: string }>(
  definition: Definition,
  id: string,
  file: string,
): Definition {
  if (definition.id === id) return definition;
  throw new TroupeError('function_invalid', {
    what: `${cut(inert(file), 200)} holds the function ${definition.id}, not ${cut(inert(id), 120)}.`,
    hint: 'Give file and function the same name.',
    details: { id: definition.id },
  });
}

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
        functions.push(rowOf(requireId(parseFunction(value, name), entry.id, name), input.verbose === true));
      } catch (error) {
        const { code, message } = asTroupeError(error);
        problems.push({ id: entry.id, code, message });
      }
    }
    return { functions, problems, ...(input.include_peers === true ? { peers: [] } : {}) };
  },
});

function rowOf(definition: TraceFunction, verbose: boolean): z.infer<typeof rowShape> {
  const { id, name, description, version, fixed, inputs, tasks } = definition;
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

/** A function as its file has it, also the keys that this version makes no use of. */
export const show = operation({
  name: 'func.show',
  input: z.strictObject({ id: z.string() }),
  output: functionSchema,
  async run(context, input) {
    const { source, id, version } = await ownFunction(context, input.id);
    return { ...source, kind: 'trace-function' as const, id, version };
  },
});
