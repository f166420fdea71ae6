import { isJsonObject, type JsonObject } from '#kernel/json.js';
import type { ResourceAddress, ResourceAnswer } from '#operations/resource-address.js';
import type { InputExample } from './openapi-examples.js';
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
} from './openapi-parts.js';
import type { ResourceRoute } from './resource-routes.js';

interface Called {
  readonly route: ResourceRoute;
  readonly one: DescribedOperation;
}

/** Operations of the document for resource addresses: one for each method and path, even if it calls several. */
export function resourceOperations(
  routes: readonly ResourceRoute[],
  described: ReadonlyMap<string, DescribedOperation>,
): readonly AddressParts[] {
  const addresses = new Map<string, Called[]>();
  for (const route of routes) {
    const one = described.get(route.operation);
    const address = `${route.method} ${route.path}`;
    if (one !== undefined) addresses.set(address, [...(addresses.get(address) ?? []), { route, one }]);
  }
  return [...addresses.values()].flatMap(addressOf);
}

function addressOf(rivals: readonly Called[]): AddressParts[] {
  const [first] = rivals;
  if (first === undefined) return [];
  const { route, one } = first;
  const { method, path, status = 200 } = route;
  const bodies = rivals.map(bodyOfRoute);
  const summary = rivals.map((each) => each.route.summary).join(' ');
  const answers = [...new Set(rivals.map((each) => JSON.stringify(answerSchema(each))))].map(parsed);
  const isChange = method !== 'GET';
  const parameters = [...pathParameters(route, one), ...(isChange ? [KEY_PARAMETER] : queryParameters(first))];
  const needsBody = bodies.every((body) => requiredOf(body).length > 0 || 'oneOf' in body);
  const takesBody = method !== 'DELETE' || rivals.some((each) => (each.route.fields ?? []).length > 0);
  const examples = rivals.flatMap(({ route: each, one: { examples } }) => examples.flatMap(asSentTo(each)));
  return [
    {
      method,
      path,
      operation: {
        ...{ operationId: addressId(method, path), ...aboutOf(one, summary), parameters },
        ...(isChange && takesBody
          ? { requestBody: { required: needsBody, content: bodyOf(eitherOf(bodies), examples) } }
          : {}),
        responses: answersWith(status, eitherOf(answers)),
      },
    },
  ];
}

const parsed = (text: string): JsonObject => JSON.parse(text);

const eitherOf = (schemas: readonly JsonObject[]): JsonObject => {
  const [only = {}, ...more] = schemas;
  return more.length === 0 ? only : { oneOf: [...schemas] };
};

const pairsOf = ({ fields = [] }: ResourceAddress) =>
  fields.map((field) => (typeof field === 'string' ? ([field, field] as const) : field));

function pathParameters(
  { path, params = [], numbers = [] }: ResourceAddress,
  { summaries }: DescribedOperation,
): JsonObject[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const pair = params.find((param) => (typeof param === 'string' ? param : param[0]) === name);
    const field = typeof pair === 'string' ? pair : pair?.[1];
    const isNumber = numbers.includes(name);
    const description = name === 'project' ? 'The project of this server' : summaries.get(field ?? '');
    return {
      ...{ name, in: 'path', required: true },
      ...(description === undefined ? {} : { description: `${description}.` }),
      schema: isNumber ? { type: 'integer', minimum: 1, maximum: 999_999_999 } : { type: 'string', minLength: 1 },
    };
  });
}

function queryParameters({ route, one: { input, summaries, examples } }: Called): JsonObject[] {
  const properties = propertiesOf(input);
  return pairsOf(route).flatMap(([given, field]) =>
    queryParameter(given, {
      schema: properties[field] ?? {},
      required: requiredOf(input).includes(field),
      description: summaries.get(field),
      example: examples.find((example) => Object.hasOwn(example.input, field))?.input[field],
    }),
  );
}

function bodyOfRoute({ route, one: { input, summaries } }: Called): JsonObject {
  const { only, when } = route;
  if (only !== undefined) return exactly({ [only.field]: { const: only.value } }, [only.field]);
  const pairs = pairsOf(route);
  const known = withDescriptions(propertiesOf(input), summaries);
  const needed = requiredOf(input).map((field) => pairs.filter(([, name]) => name === field).map(([given]) => given));
  const named = when === undefined ? [] : [when.field];
  const required = [...new Set([...named, ...needed.flatMap((names) => (names.length === 1 ? names : []))])];
  const schema = exactly(
    {
      ...(when?.value === undefined ? {} : { [when.field]: { const: when.value } }),
      ...Object.fromEntries(pairs.map(([given, field]) => [given, known[field] ?? {}])),
    },
    required,
  );
  const choices = needed.filter((names) => names.length > 1);
  const [choice] = choices;
  return choice === undefined ? schema : { ...schema, oneOf: choice.map((name) => ({ required: [name] })) };
}

const exactly = (properties: JsonObject, required: readonly string[]): JsonObject => ({
  ...{ type: 'object', properties, additionalProperties: false },
  ...(required.length === 0 ? {} : { required: [...required] }),
});

/** The example of an operation, as a body of this address; none if the address does not take what it says. */
const asSentTo =
  (route: ResourceAddress) =>
  ({ command, input }: InputExample): InputExample[] => {
    const { only, when, params = [] } = route;
    if (only !== undefined) return [{ command, input: { [only.field]: only.value } }];
    const pairs = pairsOf(route);
    const inPath = params.map((param) => (typeof param === 'string' ? param : param[1]));
    const fields = Object.keys(input).filter((field) => !inPath.includes(field));
    const sent = fields.flatMap((field) =>
      pairs
        .filter(([, name]) => name === field)
        .slice(0, 1)
        .map(([given]) => ({ given, field })),
    );
    if (sent.length !== fields.length) return [];
    const body = Object.fromEntries(sent.map(({ given, field }) => [given, input[field] ?? null]));
    return [{ command, input: when?.value === undefined ? body : { [when.field]: when.value, ...body } }];
  };

/** Schema of what an address sends of an operation's answer. */
function answerSchema({ route: { answer }, one: { output } }: Called): JsonObject {
  return answer === undefined ? output : partSchema(output, answer);
}

function partSchema(output: JsonObject, wanted: ResourceAnswer): JsonObject {
  if ('wrap' in wanted) return exactly({ [wanted.wrap]: { type: 'array', items: output, maxItems: 1 } }, [wanted.wrap]);
  if ('shape' in wanted) {
    const count = { type: 'integer', minimum: 0 };
    const { agents = {} } = propertiesOf(output);
    return exactly({ agents, more: count, problems: count }, ['agents', 'more', 'problems']);
  }
  if ('first' in wanted) {
    const list = propertiesOf(output)[wanted.first]?.['items'];
    return isJsonObject(list) ? list : {};
  }
  if ('part' in wanted) return present(propertiesOf(output)[wanted.part] ?? {});
  const { pick } = wanted;
  const forms = [output['anyOf'] ?? output].flat().filter(isJsonObject).map(propertiesOf);
  const form = forms.find((fields) => pick.every((field) => fields[field] !== undefined)) ?? {};
  return exactly(Object.fromEntries(pick.map((field) => [field, present(form[field] ?? {})])), pick);
}

/** A schema without null. */
function present(schema: JsonObject): JsonObject {
  const { anyOf, type, ...rest } = schema;
  if (Array.isArray(type)) return { ...schema, type: type.find((one) => one !== 'null') ?? type };
  if (!Array.isArray(anyOf)) return schema;
  const forms = anyOf.filter((one) => !(isJsonObject(one) && one['type'] === 'null'));
  const [only] = forms;
  return forms.length === 1 && isJsonObject(only) ? { ...rest, ...only } : { ...rest, anyOf: forms };
}
