import { toJSONSchema } from 'zod/mini';
import { TroupeError } from '#kernel/errors.js';
import { isJsonObject, type JsonObject } from '#kernel/json.js';
import type { OperationSpec } from '#operations/operation-spec.js';
import type { Offer } from './offers.js';

/** Whoever leaves out the id of these means the task of the run. */
const ABOUT_OWN = /^task\.(?!add$|list$|ready$)|^msg\.(list|read|poll)$/;

export interface Tool {
  readonly spec: OperationSpec;
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject & { type: 'object' };
  readonly annotations: { readonly readOnlyHint: boolean };
}

/** As tools are called: `task_add_dep` for `task.add-dep`. */
export function toolName({ name }: Pick<OperationSpec, 'name'>): string {
  return name.replace(/[.-]/g, '_');
}

/** The tool that an operation is; its fields are those of the operation, with the words of the command line. */
export async function toolOf(spec: OperationSpec, offer: Offer): Promise<Tool> {
  const { input } = await spec.load();
  const schema = toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as JsonObject;
  const said = new Map([...(spec.options ?? []), ...(spec.arguments ?? [])].map((each) => [each.field, each.summary]));
  const fields = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const properties = Object.entries(fields).flatMap(([field, value]) => {
    if (offer.withheld(spec, field) || !isJsonObject(value)) return [];
    const summary = said.get(field);
    return [[field, summary === undefined ? value : { ...value, description: summary }] as const];
  });
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return {
    spec,
    name: toolName(spec),
    description: offer.about(spec) ?? `${spec.summary}.${isAboutOwn(spec, offer) ? ' Without id: your own task.' : ''}`,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      required: required.filter((field) => !(field === 'id' && isAboutOwn(spec, offer))),
      additionalProperties: false,
    },
    annotations: { readOnlyHint: spec.kind === 'read' },
  };
}

/** The input of an operation from what a client said. `not_yours` for a field that is withheld. */
export function inputOf(spec: OperationSpec, said: unknown, offer: Offer): JsonObject {
  const input = isJsonObject(said) ? said : {};
  const wrong = Object.keys(input).find((field) => offer.withheld(spec, field));
  if (wrong !== undefined)
    throw new TroupeError('not_yours', { what: `\`${wrong}\` is not for tools. ${offer.because}` });
  if (input['id'] !== undefined || offer.ownTask === undefined || !isAboutOwn(spec, offer)) return input;
  return { ...input, id: offer.ownTask };
}

function isAboutOwn({ name }: OperationSpec, { ownTask }: Offer): boolean {
  return ownTask !== undefined && ABOUT_OWN.test(name);
}
