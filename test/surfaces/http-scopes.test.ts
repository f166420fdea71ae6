import { expect } from 'vitest';
import { callOperation } from '#operations/call.js';
import { scopeOf } from '#operations/declaration.js';
import { isForOwner, type OperationSpec } from '#operations/operation-spec.js';
import { OPERATIONS, UNLISTED } from '#operations/table.js';
import type { AccessToken } from '#ports/access-tokens.js';
import { type Caller, SCOPES, type TokenScope } from '#ports/callers.js';
import { RESOURCE_ROUTES, SERVER_ADDRESSES } from '#surfaces/http/addresses.js';
import { OWNER, world } from '../e2e/world.js';
import { NO_TOKENS } from '../no-tokens.js';
import { verifies } from '../verifies.js';
import { json, serve } from './http-client.js';

const ALL = [...OPERATIONS, ...UNLISTED];
const namesOf = (scope: TokenScope) => ALL.filter((spec) => scopeOf(spec) === scope).map(({ name }) => name);

verifies('api.tokens', 'one table says what each scope permits; an act that says nothing is of the owner', () => {
  const reads = ALL.filter(({ kind }) => kind === 'read');
  expect(reads.filter(({ personal }) => personal !== true).map(({ name }) => name)).toEqual(namesOf('observer'));
  expect(reads.filter(({ personal }) => personal === true).map(({ name }) => name)).toEqual(['project.list']);
  const member = [
    ...['add', 'edit', 'unclaim', 'done', 'fail', 'abandon', 'retry', 'log', 'artifact', 'pause', 'resume', 'publish'],
    ...['wait', 'add-dep', 'rm-dep', 'submit', 'checkpoint', 'commit'],
  ].map((verb) => `task.${verb}`);
  const others = ['team.take', 'team.say', 'plan.submit', 'inbox.add', 'msg.send', 'msg.read', 'formation.hand-in'];
  const bus = ['send', 'reply', 'escalate', 'read', 'ack', 'close'].map((verb) => `bus.${verb}`);
  expect(namesOf('member').sort()).toEqual([...member, ...others, ...bus].sort());
  const leader = [
    ...['claim', 'block', 'reopen', 'reclaim', 'reschedule', 'undo', 'answer', 'review'].map((verb) => `task.${verb}`),
    ...['agent.kill', 'agent.spawn', 'session.create', 'session.change', 'session.chat', 'team.task', 'team.plan-work'],
    ...['start', 'turn', 'conclude', 'cancel'].map((verb) => `team.session-${verb}`),
    ...['plan.approve', 'plan.reject'],
  ];
  expect(namesOf('leader').sort()).toEqual(leader.sort());
  // The acts of a person.
  const acts = ['task.approve', 'task.reject', 'formation.go', 'project.trust', 'workflow.trust', 'executor.trust'];
  const more = ['task.exec', 'roles.graduate', 'roles.accept', 'worktree.land', 'token.add', 'token.revoke'];
  expect(namesOf('owner')).toEqual(
    expect.arrayContaining([...acts, ...more, 'config.set', 'task.import', 'project.list']),
  );
});

/** A server over the whole table whose operations do nothing, and a token of each scope, named like it. */
async function guarded() {
  const callers: Caller[] = [];
  const all = SCOPES.map(
    (scope): AccessToken => ({ name: scope, scope, person: 'ann', made: 1, until: Number.MAX_SAFE_INTEGER }),
  );
  const tokens = { ...NO_TOKENS, all: () => all, ofSecret: (word: string) => all.find(({ name }) => name === word) };
  const call = async (_name: string, _input: unknown, caller: Caller) => void callers.push(caller);
  const { ask } = await serve({ call, operations: OPERATIONS, tokens });
  const codeOf = async (scope: TokenScope, method: string, target: string, body: object = {}) => {
    const carries = method !== 'GET';
    const { status, text } = await ask(target, {
      method,
      headers: {
        authorization: `Bearer ${scope}`,
        ...(carries ? { ...json, 'content-length': `${JSON.stringify(body).length}` } : {}),
      },
      ...(carries ? { body: JSON.stringify(body) } : {}),
    });
    return status < 400 ? 'permitted' : (JSON.parse(text).error.code as string);
  };
  return { ask, codeOf, callers };
}

const permits = (scope: TokenScope, spec: OperationSpec) => SCOPES.indexOf(scope) >= SCOPES.indexOf(scopeOf(spec));

verifies('api.tokens', 'every operation of the table refuses every scope below its own, and no other', async () => {
  const { codeOf } = await guarded();
  const served = OPERATIONS.filter(({ where }) => where !== 'caller');
  expect(served.length).toBeGreaterThan(180);
  for (const spec of served)
    for (const scope of SCOPES) {
      const method = spec.kind === 'read' ? 'GET' : 'POST';
      const code = await codeOf(scope, method, `/api/${spec.name.replaceAll('.', '/')}`);
      expect(code === 'forbidden', `${spec.name} for ${scope}: ${code}`).toBe(!permits(scope, spec));
    }
});

verifies('api.tokens', 'every resource address refuses like its operation', async () => {
  const { codeOf } = await guarded();
  expect(RESOURCE_ROUTES.length).toBeGreaterThan(50);
  for (const { method, path, operation, when, only } of RESOURCE_ROUTES) {
    const spec = ALL.find(({ name }) => name === operation) ?? expect.fail(operation);
    const target = path.replace(':project', 'demo').replace(/:\w+/g, '1');
    const meant = when === undefined ? {} : { [when.field]: when.value ?? 'x' };
    const body = only === undefined ? meant : { [only.field]: only.value };
    for (const scope of SCOPES) {
      const code = await codeOf(scope, method, target, body);
      expect(code === 'forbidden', `${method} ${path} (${operation}) for ${scope}: ${code}`).toBe(
        !permits(scope, spec),
      );
    }
  }
});

verifies(
  'api.tokens',
  'the addresses of the server itself: who reads may follow, and no token is a login',
  async () => {
    const { ask, codeOf } = await guarded();
    const seen = new Set<string>();
    const see = (method: string, path: string) => seen.add(`${method} ${path}`);
    for (const scope of SCOPES) {
      for (const target of ['/api/project', '/api/openapi.json'] as const) {
        expect(await codeOf(scope, 'GET', target)).toBe('permitted');
        see('GET', target);
      }
      const visitor = await ask('/api/project', { headers: { authorization: `Bearer ${scope}` } });
      expect(visitor.json().visitor).toBe(scope === 'owner' ? 'person' : scope);
      expect(await codeOf(scope, 'GET', '/api/events?from=x'), 'beyond the guard').toBe('bad_input');
      see('GET', '/api/events');
      expect(await codeOf(scope, 'GET', '/api/artifacts/x'), 'beyond the guard').not.toBe('forbidden');
      see('GET', '/api/artifacts/:id');
      expect(await codeOf(scope, 'POST', '/api/session', { code: scope }), 'no token is a login').toBe(
        'foreign_origin',
      );
      see('POST', '/api/session');
      expect(await codeOf(scope, 'DELETE', '/api/session')).toBe('permitted');
      see('DELETE', '/api/session');
    }
    expect([...seen].sort()).toEqual(SERVER_ADDRESSES.map(({ method, path }) => `${method} ${path}`).sort());
  },
);

verifies('api.tokens', 'below the owner nobody names a file, sets a command, another name or a rule', async () => {
  const { codeOf } = await guarded();
  let tried = 0;
  for (const spec of OPERATIONS.filter(({ where }) => where !== 'caller')) {
    const fields = [...(spec.options ?? []), ...(spec.arguments ?? [])].map(({ field }) => field);
    for (const field of fields.filter((one) => isForOwner(spec, one)))
      for (const scope of SCOPES.filter((one) => one !== 'owner' && permits(one, spec))) {
        const address = `/api/${spec.name.replaceAll('.', '/')}`;
        const code =
          spec.kind === 'read'
            ? await codeOf(scope, 'GET', `${address}?${field}=x`)
            : await codeOf(scope, 'POST', address, { [field]: 'x' });
        expect(code, `${field} of ${spec.name} for ${scope}`).toBe('forbidden');
        tried++;
      }
  }
  expect(tried).toBeGreaterThan(40);
  for (const field of ['exec', 'verify_cmd', 'actor'])
    expect(await codeOf('member', 'POST', '/api/task/edit', { id: 'a', [field]: 'x' })).toBe('forbidden');
  expect(await codeOf('leader', 'POST', '/api/agent/kill', { run: 'agent-1', force: true })).toBe('forbidden');
});

verifies('api.tokens', 'the document has the scheme of tokens, and names the scope of every operation', async () => {
  const { codeOf: _, ask } = await guarded();
  const document = (await ask('/api/openapi.json', { headers: { authorization: 'Bearer observer' } })).json();
  const { paths, security, components } = document as unknown as {
    paths: Record<string, Record<string, { operationId: string; tags: string[]; 'x-scope'?: string }>>;
    security: object[];
    components: { securitySchemes: Record<string, object> };
  };
  expect(security).toContainEqual({ token: [] });
  expect(components.securitySchemes['token']).toMatchObject({ type: 'http', scheme: 'bearer' });
  const described = Object.values(paths).flatMap((methods) => Object.values(methods));
  const named = described.filter(({ tags }) => !tags.includes('Server'));
  expect(named.length).toBeGreaterThan(230);
  for (const one of named) expect(SCOPES, one.operationId).toContain(one['x-scope']);
  for (const spec of ALL) {
    const found = named.find(({ operationId }) => operationId === spec.name);
    if (found !== undefined) expect(found['x-scope'], spec.name).toBe(scopeOf(spec));
  }
});

verifies(['api.tokens', 'door.socket'], 'no read writes a file, whoever asks for it', async () => {
  const { codeOf, callers } = await guarded();
  const named = OPERATIONS.filter((spec) => spec.kind === 'read' && spec.where !== 'caller').flatMap((spec) =>
    [...(spec.options ?? []), ...(spec.arguments ?? [])].flatMap(({ field, writes }) =>
      writes ? [[spec.name, field]] : [],
    ),
  );
  expect(named.length).toBeGreaterThan(0);
  for (const [name = '', field] of named)
    expect(await codeOf('owner', 'GET', `/api/${name.replaceAll('.', '/')}?${field}=/tmp/x`), name).toBe('bad_input');
  expect(callers).toEqual([]);
});

verifies('api.tokens', 'a program acts for the person of its token, as what the token permits', async () => {
  const { codeOf, callers } = await guarded();
  for (const scope of SCOPES) await codeOf(scope, 'GET', '/api/status/now');
  expect(callers).toEqual(SCOPES.map((scope) => ({ kind: 'person', name: 'ann', scope })));
});

verifies('api.tokens', 'a member changes tasks of that person alone, a leader every one', async () => {
  const own = world();
  await own.add('mine', { created_by: 'you' });
  await own.add('held', { created_by: 'ben', assigned: 'you', status: 'in-progress' });
  await own.add('theirs', { created_by: 'ben' });
  const spec = ALL.find(({ name }) => name === 'task.pause') ?? expect.fail();
  const code = (scope: TokenScope, id: string) =>
    callOperation(spec, { ...own.context, caller: { ...OWNER, scope } }, { id }).then(
      () => 'accepted',
      (error: { code: string }) => error.code,
    );
  expect(await code('member', 'theirs')).toBe('not_yours');
  expect(await code('observer', 'mine')).toBe('forbidden');
  expect(await code('member', 'mine')).toBe('accepted');
  expect(await code('member', 'held'), 'what it holds is its own').not.toBe('not_yours');
  expect(await code('leader', 'theirs')).toBe('accepted');
});
