import { errorCodes } from '#kernel/errors.js';
import { isJsonObject, type JsonObject } from '#kernel/json.js';
import { jsonSchemaOf } from '#kernel/json-schema.js';
import { asksForFile, type OperationSpec } from '#operations/operation-spec.js';
import { SERVER_ADDRESSES } from './addresses.js';
import { examplesOf } from './openapi-examples.js';
import {
  type AddressParts,
  aboutOf,
  addressId,
  answersWith,
  bodyOf,
  type DescribedOperation,
  KEY_PARAMETER,
  propertiesOf,
  queryParameter,
  requiredOf,
  withDescriptions,
  withError,
} from './openapi-parts.js';
import { resourceOperations } from './openapi-resources.js';
import type { ResourceRoute } from './resource-routes.js';
import { SERVER_OPERATIONS } from './server-addresses.js';

/** A path of ours in the notation of OpenAPI: `{id}` for `:id`. */
const templateOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

export interface ApiTables {
  /** Operations with an address of their name. */
  readonly operations: readonly OperationSpec[];
  /** Operations that only resource addresses call. */
  readonly unlisted: readonly OperationSpec[];
  readonly resources: readonly ResourceRoute[];
}

/**
 * The document. It names the port of the server that answers; without one, as in the reference, a placeholder. Loads
 * every operation.
 */
export async function openApi(tables: ApiTables, port?: number): Promise<JsonObject> {
  const named = tables.operations.filter(({ where }) => where !== 'caller');
  const meant = new Set(tables.resources.map(({ operation }) => operation));
  const all = [...tables.operations, ...tables.unlisted].filter((spec) => named.includes(spec) || meant.has(spec.name));
  const schemas: JsonObject = { ErrorAnswer: ERROR_ANSWER };
  const described = new Map<string, DescribedOperation>();
  for (const spec of all) described.set(spec.name, await describe(spec, schemas));
  const paths: Record<string, JsonObject> = {};
  const place = ({ method, path, operation }: AddressParts) => {
    paths[templateOf(path)] = { ...paths[templateOf(path)], [method.toLowerCase()]: operation };
  };
  for (const { method, path, summary } of SERVER_ADDRESSES)
    place({ method, path, operation: ownOperation(method, path, summary) });
  for (const address of resourceOperations(tables.resources, described)) place(address);
  for (const { name } of named) {
    const one = described.get(name);
    if (one !== undefined) place(tableOperation(one));
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Troupe',
      version: '1',
      description:
        'Reads use GET with the fields in the query; changes use POST with a JSON object. Every refusal has one form and a stable code.',
    },
    servers: [
      port === undefined
        ? {
            url: 'http://127.0.0.1:{port}',
            variables: { port: { default: '8080', description: 'Chosen when it starts.' } },
          }
        : { url: `http://127.0.0.1:${port}` },
    ],
    security: [{ token: [] }, { session: [] }],
    paths,
    components: {
      schemas,
      responses: {
        Error: {
          description: 'A refusal.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorAnswer' } } },
        },
      },
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A secret of `troupe token add NAME`. Each operation names the least scope that it needs: observer, member, leader or owner. Only on the machine of the service: `.workgraph/service/http-token` and, for reading alone, `http-viewer-token`.',
        },
        session: {
          ...{ type: 'apiKey', in: 'cookie', name: `troupe_session_${port ?? '{port}'}` },
          description: 'Of a browser that redeemed a one-time link. A change also needs the Origin of this server.',
        },
      },
    },
  };
}

const text: JsonObject = { type: 'string' };

/** `ErrorAnswer` of contract.ts. */
const ERROR_ANSWER: JsonObject = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: {
        code: { type: 'string', enum: Object.keys(errorCodes()) },
        message: text,
        why: text,
        hint: text,
        details: { type: 'object' },
      },
      required: ['code', 'message', 'hint', 'details'],
      additionalProperties: false,
    },
  },
  required: ['error'],
  additionalProperties: false,
};

const IDEMPOTENCY_KEY: JsonObject = {
  ...{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string', pattern: '^[!-~]{1,200}$' } },
  description:
    'Identifies the change: sent again with the same body, the first answer comes again and nothing is done twice.',
};

/** Loads an operation. Definitions within its schemas are put among those of the document. */
async function describe(spec: OperationSpec, schemas: JsonObject): Promise<DescribedOperation> {
  const operation = await spec.load();
  const schemaOf = (side: 'input' | 'output'): JsonObject => {
    const { $schema: _, $defs, ...schema } = jsonSchemaOf(operation[side], side);
    const renamed = (value: JsonObject): JsonObject =>
      JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', `"#/components/schemas/${spec.name}.`));
    for (const [name, one] of Object.entries($defs ?? {}))
      if (isJsonObject(one)) schemas[`${spec.name}.${name}`] = renamed(one);
    return renamed(schema);
  };
  const words = [...(spec.options ?? []), ...(spec.arguments ?? [])];
  return {
    spec,
    input: schemaOf('input'),
    output: schemaOf('output'),
    examples: await examplesOf(spec, operation),
    summaries: new Map(words.map(({ field, summary }) => [field, summary])),
  };
}

function ownOperation(method: string, path: string, summary: string): JsonObject {
  const parts = SERVER_OPERATIONS[`${method} ${path}`] ?? {};
  const responses = isJsonObject(parts['responses']) ? parts['responses'] : {};
  return { operationId: addressId(method, path), tags: ['Server'], summary, ...parts, responses: withError(responses) };
}

function tableOperation(one: DescribedOperation): AddressParts {
  const { spec, input, output, examples, summaries } = one;
  const path = `/api/${spec.name.replaceAll('.', '/')}`;
  const head = { operationId: spec.name, ...aboutOf(one) };
  const responses = answersWith(200, output);
  if (spec.kind === 'read') {
    const required = requiredOf(input);
    const parameters = Object.entries(propertiesOf(input)).flatMap(([field, schema]) =>
      asksForFile(spec, { [field]: true })
        ? []
        : queryParameter(field, {
            ...{ schema, required: required.includes(field), description: summaries.get(field) },
            example: examples.find((example) => Object.hasOwn(example.input, field))?.input[field],
          }),
    );
    return { method: 'GET', path, operation: { ...head, parameters, responses } };
  }
  const schema = { ...input, properties: withDescriptions(propertiesOf(input), summaries) };
  const requestBody = { required: true, content: bodyOf(schema, examples) };
  return {
    ...{ method: 'POST', path },
    operation: { ...head, parameters: [KEY_PARAMETER], requestBody, responses },
  };
}
