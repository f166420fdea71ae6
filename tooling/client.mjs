// Builds the package's entry `troupe/client`: its code, and its types from the OpenAPI document of the reference.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { HOME } from './prepare.mjs';

const SOURCE = 'src/surfaces/http/client.ts';

const document = () => JSON.parse(readFileSync(path.join(HOME, 'docs/reference/openapi.json'), 'utf8'));

/** Operations of the document with an address of their own name. */
function namedOperations({ paths }) {
  return Object.entries(paths).flatMap(([address, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      `/api/${operation.operationId.replaceAll('.', '/')}` === address ? [{ method, operation }] : [],
    ),
  );
}

/** Options with which the bundler builds the client. */
export function clientBuild() {
  const reads = namedOperations(document()).flatMap(({ method, operation }) =>
    method === 'get' ? [operation.operationId] : [],
  );
  return {
    input: SOURCE,
    platform: 'neutral',
    transform: { define: { TROUPE_READS: JSON.stringify(reads) } },
  };
}

/** The declarations of the client: of its source, with types of operations that need no other file. */
export function clientTypes() {
  const { outputText } = ts.transpileDeclaration(readFileSync(path.join(HOME, SOURCE), 'utf8'), {
    fileName: 'client.ts',
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.NodeNext, strict: true },
  });
  const own = outputText
    .replace(/^import type .*$/m, '')
    .replace(/\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*declare const TROUPE_READS[^\n]*\n/, '');
  return `${operationTypes(document())}\n${own.trim()}\n`;
}

function operationTypes(api) {
  const { schemas } = api.components;
  const [code, ...others] = [schemas.ErrorAnswer.properties.error.properties.code].map((one) => typeOf(one));
  const rows = namedOperations(api).map(({ operation }) => {
    const { operationId, summary, parameters = [], requestBody, responses } = operation;
    const input = requestBody?.content['application/json'].schema ?? fieldsOf(parameters);
    const output = Object.values(responses)[0].content['application/json'].schema;
    return `  /** ${summary} */\n  ${JSON.stringify(operationId)}: { input: ${typeOf(input)}; output: ${typeOf(output)} };`;
  });
  return [
    '// Made by `node tooling/build.mjs` from docs/reference/openapi.json.',
    '/** Input and answer of each operation, by its name. */',
    'export interface Operations {',
    ...rows,
    '}',
    ...Object.entries(schemas)
      .filter(([name]) => name !== 'ErrorAnswer')
      .map(([name, schema]) => `type ${nameOf(name)} = ${typeOf(schema)};`),
    'export type ApiOperation = keyof Operations;',
    "export type ApiInput<Name extends ApiOperation> = Operations[Name]['input'];",
    "export type Answer<Name extends ApiOperation> = Operations[Name]['output'];",
    `/** Codes of refusals. */`,
    `export type ErrorCode = ${[code, ...others].join('')};`,
    'export interface ErrorAnswer {',
    '  readonly error: { readonly code: ErrorCode; readonly message: string; readonly why?: string; readonly hint: string; readonly details: Readonly<Record<string, unknown>> };',
    '}',
    '/** One entry of the log. */',
    'export interface GraphEvent { readonly seq: number; readonly op: string; readonly task_id?: string }',
  ].join('\n');
}

/** Fields of a query as the schema of an object. */
function fieldsOf(parameters) {
  const fields = parameters.filter(({ in: place }) => place === 'query');
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

const nameOf = (name) => name.replace(/\W/g, '_');

/** TypeScript of a JSON Schema as our schemas make it. */
function typeOf(schema) {
  if (schema.$ref !== undefined) return nameOf(schema.$ref.split('/').at(-1));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms !== undefined && schema.properties === undefined) return forms.map(typeOf).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ');
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      return Array.isArray(schema.prefixItems)
        ? `readonly [${schema.prefixItems.map(typeOf).join(', ')}]`
        : `readonly (${typeOf(schema.items ?? {})})[]`;
    case 'object':
      return objectType(schema);
    default:
      return 'unknown';
  }
}

/** Name of a field; quoted only where it has to be, since the package is small. */
const keyOf = (name) => (/^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name));

function objectType({ properties = {}, required = [], additionalProperties }) {
  const fields = Object.entries(properties).map(
    ([name, schema]) =>
      `${keyOf(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}${required.includes(name) ? '' : ' | undefined'}`,
  );
  const more = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : undefined;
  // Beside named fields, others can only be of any type: an index has to fit them all.
  if (more !== undefined) fields.push(`[name: string]: ${fields.length === 0 ? more : 'unknown'}`);
  return fields.length === 0 ? 'Record<string, never>' : `{ ${fields.join('; ')} }`;
}
