import { toJSONSchema } from 'zod/mini';
import { TroupeError } from '#kernel/errors.js';
import { isJsonObject, type JsonObject } from '#kernel/json.js';
import type { Face } from '#operations/face.js';
import { OPERATIONS } from '#operations/table.js';

/** What an agent is offered, by the name of the operation: what it needs to see, and what is open to runs. */
const OFFERED = [
  ...['task.show', 'task.list', 'task.ready', 'task.context', 'task.why'],
  ...['task.done', 'task.fail', 'task.log', 'task.artifact', 'task.wait', 'task.checkpoint', 'task.add', 'task.edit'],
  ...['task.add-dep', 'msg.send', 'msg.list', 'msg.read', 'msg.poll', 'func.list', 'func.show', 'func.apply'],
];

/** By these a person says who they are, vouches for something or names a file: no agent does. */
const WITHHELD = ['actor', 'from', 'force', 'trust', 'input_file', 'include_peers'];

/** Whoever leaves out the id of these means the task of the run. */
const ABOUT_OWN = /^task\.(?!add$|list$|ready$)|^msg\.(list|read|poll)$/;

export interface Tool {
  readonly face: Face;
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject & { type: 'object' };
  readonly annotations: { readonly readOnlyHint: boolean };
}

export const TOOL_FACES: readonly Face[] = OFFERED.map((name) => {
  const face = OPERATIONS.find((candidate) => candidate.name === name);
  if (!face) throw new TroupeError('internal', { what: `There is no operation ${name} to be offered.` });
  return face;
});

/** As tools are called: `task_add_dep` for `task.add-dep`. */
export function toolName({ name }: Pick<Face, 'name'>): string {
  return name.replace(/[.-]/g, '_');
}

/** The tool that an operation is; its fields are those of the operation, with the words of the command line. */
export async function toolOf(face: Face): Promise<Tool> {
  const { input } = await face.load();
  const schema = toJSONSchema(input as never, { io: 'input', unrepresentable: 'any' }) as JsonObject;
  const said = new Map([...(face.options ?? []), ...(face.arguments ?? [])].map((each) => [each.field, each.summary]));
  const fields = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const properties = Object.entries(fields).flatMap(([field, value]) => {
    if (WITHHELD.includes(field) || !isJsonObject(value)) return [];
    const summary = said.get(field);
    return [[field, summary === undefined ? value : { ...value, description: summary }] as const];
  });
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return {
    face,
    name: toolName(face),
    description: `${face.summary}.${ABOUT_OWN.test(face.name) ? ' Without id: your own task.' : ''}`,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      required: required.filter((field) => !(field === 'id' && ABOUT_OWN.test(face.name))),
      additionalProperties: false,
    },
    annotations: { readOnlyHint: face.kind === 'read' },
  };
}

/** The input of an operation from what an agent said. `not_yours` for a field that is withheld. */
export function inputOf(face: Face, said: unknown, ownTask: string): JsonObject {
  const input = isJsonObject(said as never) ? (said as JsonObject) : {};
  const wrong = Object.keys(input).find((field) => WITHHELD.includes(field));
  if (wrong !== undefined) {
    throw new TroupeError('not_yours', {
      what: `A run does not say \`${wrong}\`: it is itself, and vouches for nothing.`,
    });
  }
  return input['id'] === undefined && ABOUT_OWN.test(face.name) ? { ...input, id: ownTask } : input;
}
