import { isJsonObject, type JsonObject } from '#kernel/json.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { scopeOf } from '#operations/declaration.js';
import type { OperationSpec } from '#operations/operation-spec.js';
import type { InputExample } from './openapi-examples.js';

/** An operation with its schemas as JSON Schema. */
export interface DescribedOperation {
  readonly spec: OperationSpec;
  readonly input: JsonObject;
  readonly output: JsonObject;
  readonly examples: readonly InputExample[];
  /** Descriptions of the input fields: the summaries of arguments and flags. */
  readonly summaries: ReadonlyMap<string, string>;
}

/** Parts that resource addresses share with those of the table. */
export interface AddressParts {
  readonly method: string;
  readonly path: string;
  readonly operation: JsonObject;
}

/** Summary that ends like a sentence, as all of them do in the document. */
const sentence = (text: string): string => (/[.?]$/.test(text) ? text : `${text}.`);

/** Id of an operation without a name of its own: `get.projects.project.team`. */
export function addressId(method: string, path: string): string {
  return [method.toLowerCase(), ...path.split('/').slice(2)].join('.').replaceAll(':', '');
}

export const withError = (responses: JsonObject): JsonObject => ({
  ...responses,
  // Answered before the request is read, so without a body.
  431: { description: `The address and the headers have more than ${SURFACE_LIMITS.httpHeaderBytes} bytes.` },
  default: { $ref: '#/components/responses/Error' },
});

/** Answers of an operation with this status and schema. */
export const answersWith = (status: number, schema: JsonObject): JsonObject =>
  withError({
    [status]:
      status === 204
        ? { description: 'Done.' }
        : { description: 'The answer.', content: { 'application/json': { schema } } },
  });

/** Parameter for a field of a query; undefined for a field that no query can carry. */
export function queryParameter(
  name: string,
  {
    schema,
    required,
    description,
    example,
  }: { schema: JsonObject; required: boolean; description?: string | undefined; example?: unknown },
): JsonObject[] {
  if (schema['type'] === 'object') return [];
  const isList = schema['type'] === 'array';
  return [
    {
      ...{ name, in: 'query', required },
      ...(description === undefined ? {} : { description: sentence(description) }),
      ...(isList ? { style: 'form', explode: true } : {}),
      schema,
      ...(example === undefined ? {} : { example: example as JsonObject }),
    },
  ];
}

/** Schema of the fields of an object, each with its description. */
export function withDescriptions(properties: JsonObject, summaries: ReadonlyMap<string, string>): JsonObject {
  const described = Object.entries(properties).map(([field, schema]) => {
    const summary = summaries.get(field);
    return [
      field,
      summary === undefined || !isJsonObject(schema) ? schema : { ...schema, description: sentence(summary) },
    ];
  });
  return Object.fromEntries(described);
}

/** Fields of an object schema. */
export const propertiesOf = ({ properties }: JsonObject): Readonly<Record<string, JsonObject>> =>
  isJsonObject(properties) ? (properties as Record<string, JsonObject>) : {};

export const requiredOf = ({ required }: JsonObject): readonly string[] =>
  Array.isArray(required) ? required.map(String) : [];

/** Parts of an operation that do not depend on its address. */
export const aboutOf = ({ spec }: DescribedOperation, summary = spec.summary): JsonObject => ({
  tags: [spec.group],
  summary: sentence(summary),
  description: `On the command line: \`troupe ${spec.instead ?? spec.command}\`.`,
  'x-scope': scopeOf(spec),
});

export const KEY_PARAMETER: JsonObject = { $ref: '#/components/parameters/IdempotencyKey' };

/** A JSON body with its examples. */
export function bodyOf(schema: JsonObject, examples: readonly InputExample[]): JsonObject {
  const shown = examples.map(({ command, input }, index) => [`${index + 1}`, { summary: command, value: input }]);
  return {
    'application/json': { schema, ...(shown.length === 0 ? {} : { examples: Object.fromEntries(shown) }) },
  };
}
