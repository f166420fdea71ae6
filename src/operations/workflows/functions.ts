import path from 'node:path';
import * as z from 'zod/mini';
import { projectsIn } from '#core/agency/remotes.js';
import { isIdForm } from '#core/graph/slug.js';
import type { TraceFunction } from '#core/playbooks/function.js';
import { type FunctionInFile, functionSchema, parseFunction } from '#core/playbooks/function-file.js';
import { asTroupeError, TroupeError } from '#kernel/errors.js';
import { FROM_PROJECT } from '#kernel/graph-folder.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { cut, didYouMean, inert, inSentence } from '#kernel/text.js';
import { federation, peerProject } from '#operations/agency/remotes.js';
import type { FilesContext, TeamContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { type Context, operation } from '#operations/operation.js';
import type { RemoteProject } from '#ports/agency-remotes.js';

/** Reads a function of this project. */
export async function ownFunction(context: Pick<Context, 'functions'>, id: string): Promise<FunctionInFile> {
  const file = await (await context.functions()).read(id);
  return requireId(parseFunction(file.value, file.name), id, file.name);
}

/** Reads a function from a file, another project or a peer. A run cannot read outside its own project. */
export async function foreignFunction(
  context: TeamContext & FilesContext,
  from: string,
  id: string | undefined,
): Promise<FunctionInFile> {
  const peer = /^([A-Za-z0-9._-]+)(?::([^/\\]*))?$/.exec(from);
  if (peer && !/^\.|\.ya?ml$/i.test(from)) return await peerFunction(context, peer[1] ?? '', peer[2] ?? id);
  const place = path.resolve(context.projectFolder, from);
  const file = await (await context.functions()).readFrom(place, id, context.caller.kind === 'run');
  const definition = parseFunction(file.value, path.basename(file.name));
  return id === undefined ? definition : requireId(definition, id, file.name);
}

const FOLDER = FROM_PROJECT.functions;
const ENDING = '.yaml';

async function peerFunction(
  context: TeamContext & FilesContext,
  peer: string,
  id: string | undefined,
): Promise<FunctionInFile> {
  const project = await peerProject(context, peer);
  if (id === undefined)
    throw new TroupeError('usage', { what: 'Name the function of that project.', hint: `Use --from ${peer}:ID.` });
  const ids = await idsOf(project);
  if (ids.includes(id)) return await readAt(context, project, id);
  const near = didYouMean(id.slice(0, 120), ids);
  throw new TroupeError('unknown_function', {
    what: `${peer} has no function ${cut(inert(id), 120)}.`,
    ...(near ? { hint: `Did you mean ${near}?` } : {}),
  });
}

async function idsOf(project: RemoteProject): Promise<string[]> {
  const names = (await project.names(FOLDER)).filter((name) => name.endsWith(ENDING));
  const ids = names.map((name) => name.slice(0, -ENDING.length)).filter(isIdForm);
  return ids.sort().slice(0, TEAM_LIMITS.functionsListed);
}

async function readAt(
  context: Pick<Context, 'functions'>,
  project: RemoteProject,
  id: string,
): Promise<FunctionInFile> {
  const name = `${FOLDER}/${id}${ENDING}`;
  const text = await project.text(name, TEAM_LIMITS.functionFileBytes);
  if (text === undefined) throw new TroupeError('unknown_function', { what: `${name} no longer exists.` });
  if (typeof text === 'number')
    throw new TroupeError('too_large', { what: `${name} is larger than ${TEAM_LIMITS.functionFileBytes} bytes.` });
  const file = await (await context.functions()).parse(text, name);
  return requireId(parseFunction(file.value, name), id, name);
}

/** Requires the id in a file to equal the requested one. Errors: `function_invalid`. */
function requireId<Definition extends { readonly id: string }>(
  definition: Definition,
  id: string,
  file: string,
): Definition {
  if (definition.id === id) return definition;
  throw new TroupeError('function_invalid', {
    what: `${inSentence(file)} contains the function ${definition.id}, not ${cut(inert(id), 120)}.`,
    hint: 'Give the file and the function the same name.',
    details: { id: definition.id },
  });
}

const rowShape = z.object({
  id: z.string(),
  /** Peer that has it; absent for a function of this project. */
  peer: z.optional(z.string()),
  name: z.optional(z.string()),
  description: z.optional(z.string()),
  version: z.number(),
  /** Whether it can be applied without a model. */
  fixed: z.boolean(),
  task_count: z.number(),
  input_count: z.number(),
  inputs: z.optional(z.array(z.object({ name: z.string(), type: z.string(), required: z.boolean() }))),
  tasks: z.optional(z.array(z.object({ template_id: z.string(), title: z.string() }))),
});

/** Functions of this project, and invalid files. */
export const list = operation({
  name: 'func.list',
  command: 'func list',
  group: 'Plans',
  kind: 'read',
  instead: 'playbooks --functions',
  summary: 'List the functions of this project',
  examples: ['troupe playbooks --functions', 'troupe playbooks --functions --verbose --json'],
  input: z.strictObject({
    verbose: option('Show inputs and tasks', z.optional(z.boolean())),
    include_peers: option('Include those of remotes', z.optional(z.boolean())),
  }),
  output: z.object({
    functions: z.array(rowShape),
    problems: z.array(z.object({ id: z.string(), code: z.string(), message: z.string() })),
    /** Peers that were queried. */
    peers: z.optional(z.array(z.string())),
  }),
  async run(context: TeamContext & FilesContext, input) {
    const listed = await (await context.functions()).list();
    const functions: z.infer<typeof rowShape>[] = [];
    const problems: { id: string; code: string; message: string }[] = [];
    const look = async (id: string, work: () => Promise<void>) => {
      try {
        await work();
      } catch (error) {
        const { code, message } = asTroupeError(error);
        problems.push({ id, code, message });
      }
    };
    const verbose = input.verbose === true;
    for (const entry of listed) {
      await look(entry.id, async () => {
        if (entry.file === undefined) throw entry.error;
        const { value, name } = entry.file;
        functions.push(rowOf(requireId(parseFunction(value, name), entry.id, name), verbose));
      });
    }
    if (input.include_peers !== true) return { functions, problems };
    const peers = [...projectsIn(await federation(context)).keys()];
    for (const peer of peers) {
      await look(peer, async () => {
        const project = await peerProject(context, peer);
        for (const id of await idsOf(project)) {
          await look(`${peer}:${id}`, async () => {
            functions.push({ ...rowOf(await readAt(context, project, id), verbose), peer });
          });
        }
      });
    }
    return { functions, problems, peers };
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

/** A function with all keys of its file, including those that this version ignores. */
export const show = operation({
  name: 'func.show',
  command: 'func show',
  group: 'Plans',
  kind: 'read',
  instead: 'playbooks --kind function',
  summary: 'Show the inputs and tasks of a function',
  examples: ['troupe func show draft-review', 'troupe func show draft-review --json'],
  input: z.strictObject({ id: argument('The function', z.string()) }),
  output: functionSchema,
  async run(context: FilesContext, input) {
    const { source, id, version } = await ownFunction(context, input.id);
    return { ...source, kind: 'trace-function' as const, id, version };
  },
});
