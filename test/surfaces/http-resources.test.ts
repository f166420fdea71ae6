import { expect } from 'vitest';
import { REPEAT_LIMITS } from '#kernel/limits/repeats.js';
import { OPERATIONS } from '#operations/table.js';
import { RESOURCE_ROUTES, SERVER_ADDRESSES } from '#surfaces/http/addresses.js';
import { answeringOnce } from '#surfaces/http/answering-once.js';
import { OWNER } from '../e2e/world.js';
import { MemoryStage } from '../operations/team/memory-stage.js';
import { verifies } from '../verifies.js';
import { bearer, json, serve } from './http-client.js';
import { servedOver } from './served.js';

const PROJECT = '/api/projects/demo';
/** The code and the fields of a refusal. */
const told = ({ status, body }: { status: number; body: { error: { code: string; details: unknown } } }) => [
  status,
  body.error.code,
  body.error.details,
];

verifies('one.address', 'resource addresses are plain data: a field that stands in a declaration', () => {
  expect(JSON.parse(JSON.stringify(RESOURCE_ROUTES))).toEqual(RESOURCE_ROUTES);
  expect(RESOURCE_ROUTES.length).toBeGreaterThan(50);
  const unclear = RESOURCE_ROUTES.filter(({ when }) => when === undefined).map(
    ({ method, path }) => `${method} ${path}`,
  );
  expect(new Set(unclear).size, 'of several operations at an address at most one is meant by any body').toBe(
    unclear.length,
  );
});

verifies('one.address', 'which operation a body means, what a field is called there, and what is refused', async () => {
  const { send } = await servedOver(await MemoryStage.withTeam());
  const member = `${PROJECT}/team/members/Neo`;
  for (const [method, target, body, answer] of [
    ['PATCH', member, { status: 'Active', name: 'Tank' }, [400, 'bad_request', { field: 'status' }]],
    ['PATCH', member, { status: 'Gone' }, [400, 'bad_request', { field: 'status' }]],
    ['PATCH', member, { archetype_id: 'writer', role_id: 'writer' }, [400, 'bad_request', { field: 'role_id' }]],
    ['PUT', `${PROJECT}/decisions/1`, { status: 'active' }, [400, 'bad_request', { field: 'status' }]],
    ['PUT', `${PROJECT}/decisions/x`, { status: 'archived' }, [404, 'not_found', {}]],
    ['GET', `${PROJECT}/decisions?since=1`, undefined, [400, 'bad_request', { field: 'since' }]],
    ['GET', `${PROJECT}/team?since=1`, undefined, [400, 'bad_request', { field: 'since' }]],
    ['POST', `${PROJECT}/casting/proposals`, { mode: 'none' }, [400, 'bad_request', { field: 'mode' }]],
  ] as const)
    expect(told(await send(method, target, body)), `${method} ${target} ${JSON.stringify(body)}`).toEqual(answer);
  const word = await send('PUT', `${PROJECT}/decisions/inbox`, { status: 'archived' });
  expect([word.status, word.headers.allow], 'a word of a path is no number').toEqual([405, 'GET, POST']);
  const many = await send('GET', `${PROJECT}/decisions?limit=many`);
  expect(told(many).slice(0, 2)).toEqual([400, 'bad_request']);
});

verifies(
  'api.open',
  'addresses of the server answer other methods with those they have; the document needs a secret',
  async () => {
    const { ask, server } = await serve({ operations: OPERATIONS });
    for (const { path } of SERVER_ADDRESSES) {
      const target = path.replace(':verb', 'pause').replace(':id', '1');
      const methods = SERVER_ADDRESSES.filter((each) => each.path === path).map(({ method }) => method);
      const answer = await ask(target, { method: 'PATCH', headers: { ...bearer, ...json }, body: '{}' });
      expect([answer.status, answer.headers.allow], path).toEqual([405, methods.join(', ')]);
    }
    expect((await ask('/api/openapi.json')).status).toBe(401);
    const document = (await ask('/api/openapi.json', { headers: bearer })).json() as unknown as Record<string, unknown>;
    expect(document).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: server.address }],
      security: [{ token: [] }, { session: [] }],
      components: {
        securitySchemes: {
          token: { type: 'http', scheme: 'bearer' },
          session: { type: 'apiKey', in: 'cookie', name: `troupe_session_${server.port}` },
        },
      },
      paths: {
        '/api/task/show': {
          get: {
            operationId: 'task.show',
            parameters: [
              { name: 'id', in: 'query', required: true, description: 'The task.', example: 'write-the-parser' },
              {},
            ],
          },
        },
      },
    });
  },
);

verifies('api.repeat', 'a change with a key is made once, whatever it changes; a read has none', async () => {
  const calls: (string | undefined)[] = [];
  let open: (() => void) | undefined;
  const shut = new Promise<void>((resolve) => {
    open = resolve;
  });
  const call = async (name: string, input: unknown, _: unknown, key: string | undefined) => {
    calls.push(key);
    if (key === 'slow') await shut;
    if (key === 'fails') throw new Error('a bug');
    return { name, input, made: calls.length };
  };
  const { ask } = await serve({ call });
  const rename = (key: string | undefined, title = 'x', target = '/api/task/rename') =>
    ask(target, {
      method: 'POST',
      headers: { ...bearer, ...json, ...(key === undefined ? {} : { 'idempotency-key': key }) },
      body: JSON.stringify({ id: 'a', title }),
    });
  const first = await rename('one');
  expect((await rename('one')).json()).toEqual(first.json());
  const other = await rename('one', 'y');
  expect([other.status, other.json().error.code]).toEqual([409, 'request_id_reused']);
  expect(calls).toEqual(['one']);
  const both = [rename('slow'), rename('slow')];
  await rename(undefined);
  open?.();
  const [left, right] = await Promise.all(both);
  expect(left?.json()).toEqual(right?.json());
  expect(calls.filter((key) => key === 'slow')).toHaveLength(1);
  expect([(await rename('fails')).status, (await rename('fails')).status]).toEqual([500, 500]);
  expect(
    calls.filter((key) => key === 'fails'),
    'what was not made is tried again',
  ).toHaveLength(2);
  for (const key of ['', 'two words', 'x'.repeat(201), 'é']) expect((await rename(key)).status, key).toBe(400);
  await ask('/api/status/now', { headers: { ...bearer, 'idempotency-key': 'two words' } });
  expect(calls.at(-1)).toBeUndefined();
  const once = answeringOnce(call);
  for (let index = 0; index <= REPEAT_LIMITS.answers; index++) await once('task.rename', {}, OWNER, `k${index}`);
  const before = calls.length;
  await once('task.rename', {}, OWNER, `k${REPEAT_LIMITS.answers}`);
  await once('task.rename', {}, OWNER, 'k0');
  expect(calls.length, 'the oldest key is forgotten').toBe(before + 1);
});
