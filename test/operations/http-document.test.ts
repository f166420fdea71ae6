import fc from 'fast-check';
import { expect, onTestFinished } from 'vitest';
import * as z from 'zod';
import type { ErrorCode } from '#kernel/error-codes.js';
import { errorCodes } from '#kernel/errors.js';
import { isJsonObject, type JsonObject } from '#kernel/json.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { composeProject } from '#main/compose.js';
import { projectAt } from '#main/project.js';
import { callOperation } from '#operations/call.js';
import { specOf } from '#operations/named.js';
import { OPERATIONS } from '#operations/table.js';
import { withoutClients } from '../client-programs.js';
import { mass } from '../mass.js';
import { repository } from '../repository.js';
import { room } from '../room.js';
import { bearer, json, serve } from '../surfaces/http-client.js';
import { verifies } from '../verifies.js';

const PERSON = { kind: 'person', name: 'tess' } as const;
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** One operation of the document. */
interface Described {
  readonly path: string;
  readonly method: (typeof METHODS)[number];
  readonly operation: JsonObject;
}

/** A server over a project on the disk, with all operations, and its own document. */
async function described() {
  const folder = repository({ 'README.md': '# Sample\n', 'package.json': '{"name":"sample"}\n' });
  const before = { cwd: process.cwd(), PATH: process.env['PATH'] };
  process.chdir(folder); // where a person would stand: some operations write a file there
  process.env['PATH'] = withoutClients(before.PATH ?? '', room('programs'));
  onTestFinished(() => {
    process.chdir(before.cwd);
    process.env['PATH'] = before.PATH;
  });
  const project = composeProject(projectAt(folder));
  await project.context(PERSON).initialise();
  const bugs: unknown[] = [];
  const { ask, own } = await serve({
    call: (name, input, _, requestId) =>
      callOperation(specOf(name), project.context(PERSON, requestId === undefined ? {} : { requestId }), input),
    operations: OPERATIONS,
    project: { name: 'demo', folder },
    report: (error) => bugs.push(error),
  });
  const document = (await ask('/api/openapi.json', { headers: bearer })).json() as unknown as JsonObject;
  const all = Object.entries(document['paths'] as Record<string, JsonObject>).flatMap(([path, methods]): Described[] =>
    METHODS.flatMap((method) => {
      const operation = methods[method];
      return isJsonObject(operation) ? [{ path, method, operation }] : [];
    }),
  );
  // An event stream does not end; the login is tested by itself.
  const described = all.filter(({ path }) => !['/api/events', '/api/session'].includes(path));
  return { ask, document, described, bugs, pass: own.pass, close: () => project.close() };
}

type Ask = Awaited<ReturnType<typeof described>>['ask'];

/** One request: its fields in the path and the query, and its body. */
interface Sent {
  readonly fields: JsonObject;
  readonly body?: unknown;
}

function send(ask: Ask, { path, method }: Described, { fields, body }: Sent, headers: Record<string, string> = {}) {
  let target = path;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (target.includes(`{${name}}`)) target = target.replace(`{${name}}`, encodeURIComponent(String(value)));
    else for (const one of [value].flat()) query.append(name, String(one));
  }
  const text = body === undefined ? undefined : JSON.stringify(body);
  const length: Record<string, string> = text === undefined ? {} : { 'content-length': `${Buffer.byteLength(text)}` };
  return ask(query.size === 0 ? target : `${target}?${query}`, {
    method: method.toUpperCase(),
    headers: { ...bearer, ...(text === undefined ? {} : json), ...length, ...headers },
    ...(text === undefined ? {} : { body: text }),
  });
}

const parametersOf = ({ operation }: Described) =>
  (Array.isArray(operation['parameters']) ? operation['parameters'] : []).filter(
    (one): one is JsonObject => isJsonObject(one) && ['path', 'query'].includes(String(one['in'])),
  );

const bodyOf = ({ operation }: Described) => {
  const body = operation['requestBody'] as { content: { 'application/json': Body } } | undefined;
  return body?.content['application/json'];
};

interface Body {
  readonly schema: JsonObject;
  readonly examples?: Readonly<Record<string, { readonly value: JsonObject }>>;
}

/** Words that mean something here, and some that mean harm. */
const WORDS = [
  'alpha',
  'beta',
  'demo',
  'writer',
  'main',
  'opus',
  '5m',
  '',
  ' ',
  '../x',
  '--help',
  "'; $(id)",
  '\u202e😀\0',
];

/** Values that a schema allows. */
function valid(schema: JsonObject): fc.Arbitrary<unknown> {
  const { type, enum: values, anyOf, oneOf, items, minimum = 0, maximum = 1_000 } = schema;
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(values)) return fc.constantFrom(...values);
  const forms = [anyOf ?? oneOf ?? []].flat().filter(isJsonObject);
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  if (forms.length > 0 && Object.keys(properties).length === 0) return fc.oneof(...forms.map(valid));
  switch ([type].flat()[0]) {
    case 'string':
      return fc.constantFrom(...WORDS.filter((word) => word.length >= Number(schema['minLength'] ?? 0)));
    case 'integer':
      return fc.integer({ min: Number(minimum), max: Math.min(Number(maximum), Number(minimum) + 1_000) });
    case 'number':
      return fc.constantFrom(Number(minimum), Number(minimum) + 0.5, 7);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valid(isJsonObject(items) ? items : {}), {
        minLength: Number(schema['minItems'] ?? 0),
        maxLength: 2,
      });
    case 'object': {
      // Of names of one field, each alternative demands one.
      const [choice = {}] = forms;
      const required = [...[schema['required'] ?? []].flat(), ...[choice['required'] ?? []].flat()].map(String);
      const others = forms.slice(1).flatMap((form) => [form['required'] ?? []].flat().map(String));
      const fields = Object.entries(properties).filter(([name]) => !others.includes(name));
      const record = Object.fromEntries(fields.map(([name, one]) => [name, valid(one as JsonObject)]));
      return fc.record(record, { requiredKeys: required.filter((name) => name in record) });
    }
    default:
      return fc.constantFrom<unknown>('x', 1, {}, []);
  }
}

const inputs = (one: Described): fc.Arbitrary<Sent> => {
  const parameters = parametersOf(one);
  const fields = Object.fromEntries(
    parameters.map((each) => [String(each['name']), valid(each['schema'] as JsonObject)]),
  );
  const required = parameters.filter((each) => each['required'] === true).map((each) => String(each['name']));
  const body = bodyOf(one);
  return fc.record({
    fields: fc.record('project' in fields ? { ...fields, project: fc.constant('demo') } : fields, {
      requiredKeys: required,
    }) as fc.Arbitrary<JsonObject>,
    ...(body === undefined ? {} : { body: valid(body.schema) }),
  });
};

const seeded = <Value>(arbitrary: fc.Arbitrary<Value>, count: number, seed: number) =>
  fc.sample(arbitrary, { seed, numRuns: count });

/** Checks of answers against the document; returns what is wrong, in words. */
function judge(document: JsonObject) {
  const { schemas } = document['components'] as { schemas: JsonObject };
  const definitions = JSON.stringify(schemas).replaceAll('#/components/schemas/', '#/$defs/');
  const checks = new Map<Described, z.ZodType>();
  const compiled = (schema: JsonObject) =>
    z.fromJSONSchema(
      JSON.parse(
        `{"$defs":${definitions},${JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/').slice(1)}`,
      ),
    );
  const refusal = compiled({ $ref: '#/components/schemas/ErrorAnswer' });
  return (one: Described, { status, headers, text }: { status: number; headers: object; text: string }) => {
    const responses = one.operation['responses'] as Record<string, JsonObject>;
    const [declared, response = {}] = Object.entries(responses)[0] ?? [];
    const type = String((headers as Record<string, unknown>)['content-type']);
    if (status >= 400) {
      const error = refusal.safeParse(JSON.parse(text));
      if (!error.success) return `refused in another form: ${text.slice(0, 200)}`;
      const { code } = (error.data as { error: { code: ErrorCode } }).error;
      if (code === 'internal') return `internal error: ${text.slice(0, 200)}`;
      return errorCodes()[code].http === status ? undefined : `${status} with ${code}`;
    }
    if (String(status) !== declared) return `${status} instead of ${declared}`;
    const content = (response['content'] as Record<string, { schema?: JsonObject }> | undefined)?.['application/json'];
    if (content?.schema === undefined) return undefined;
    if (!type.startsWith('application/json')) return `answers ${type}`;
    const check = checks.get(one) ?? compiled(content.schema);
    checks.set(one, check);
    const { error } = check.safeParse(JSON.parse(text));
    return error === undefined ? undefined : `answers in another form: ${JSON.stringify(error.issues).slice(0, 300)}`;
  };
}

const nameOf = ({ method, path }: Described) => `${method.toUpperCase()} ${path}`;

verifies(
  ['api.open', 'api.conform'],
  'every answer to what the document allows is one that it declares, whatever is sent',
  async () => {
    const { ask, document, described: all, bugs, close } = await described();
    const wrongWith = judge(document);
    const wrong: string[] = [];
    let done = 0;
    const hold = async (one: Described, sent: Sent) => {
      const answer = await send(ask, one, sent);
      const found = wrongWith(one, answer);
      if (found !== undefined) wrong.push(`${nameOf(one)} ${JSON.stringify(sent)}: ${found}`);
      if (answer.status < 300) done += 1;
    };
    for (const title of ['Alpha', 'Beta'])
      await send(ask, find(all, 'POST /api/task/add'), { fields: {}, body: { title } });
    for (const one of all) {
      const [first] = seeded(inputs(one), 1, 1);
      // test/operations/examples.test.ts runs the others.
      for (const { value } of Object.values(bodyOf(one)?.examples ?? {}).slice(0, mass(1, 9)))
        await hold(one, { fields: first?.fields ?? {}, body: value });
    }
    for (const one of all) for (const sent of seeded(inputs(one), mass(1, 40), 7)) await hold(one, sent);
    await close();
    expect(wrong).toEqual([]);
    expect(bugs).toEqual([]);
    expect(all.length).toBeGreaterThan(250);
    expect(done).toBeGreaterThan(120);
  },
);

const find = (all: readonly Described[], name: string): Described => {
  const one = all.find((each) => nameOf(each) === name);
  if (one === undefined) throw new Error(`The document has no ${name}.`);
  return one;
};

verifies(
  'api.conform',
  'what the document does not allow is refused: other methods, types of bodies, fields and callers',
  async () => {
    const { ask, document, described: all, pass, close } = await described();
    const wrongWith = judge(document);
    const wrong: string[] = [];
    const refused = async (one: Described, sent: Sent, status: number, headers: Record<string, string> = {}) => {
      const answer = await send(ask, one, sent, headers);
      const found = answer.status === status ? wrongWith(one, answer) : `${answer.status} instead of ${status}`;
      if (found !== undefined)
        wrong.push(`${nameOf(one)} ${JSON.stringify(sent)} ${JSON.stringify(headers)}: ${found}`);
      return answer;
    };
    for (const one of all) {
      const [sample] = seeded(inputs(one), 1, 3);
      if (sample === undefined) continue;
      const { fields, body } = sample;
      await refused(one, { fields }, 401, { authorization: 'Bearer nobody' });
      pass(SURFACE_LIMITS.failedTriesMs); // only so many wrong secrets are heard in a while
      const methods = METHODS.filter((method) => all.some((each) => each.path === one.path && each.method === method));
      for (const method of METHODS) {
        if (methods.includes(method)) continue;
        const answer = await refused({ ...one, method }, { fields: onlyPath(one, fields) }, 405);
        expect(
          String(answer.headers.allow)
            .split(', ')
            .sort()
            .map((each) => each.toLowerCase()),
          nameOf(one),
        ).toEqual([...methods].sort());
      }
      const schema = bodyOf(one)?.schema;
      if (schema === undefined) {
        const isOwn = String(one.operation['tags']) === 'Server';
        if (!isOwn && one.method === 'get') await refused(one, { fields: { ...fields, no_such_field: '1' } }, 400);
        continue;
      }
      await refused(one, { fields, body }, 415, { 'content-type': 'text/plain' });
      await refused(one, { fields, body: [] }, 400);
      await refused(one, { fields, body: { ...(body as object), no_such_field: 1 } }, 400);
      for (const [field, of] of Object.entries((schema['properties'] ?? {}) as JsonObject)) {
        const kind = isJsonObject(of) ? [of['type']].flat() : [];
        if (kind.includes('string') && kind.length === 1)
          await refused(one, { fields, body: { ...(body as object), [field]: 7 } }, 400);
      }
    }
    await close();
    expect(wrong).toEqual([]);
  },
);

/** The fields of the path alone: a method that does not exist has no query. */
const onlyPath = ({ path }: Described, fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => path.includes(`{${name}}`)));
