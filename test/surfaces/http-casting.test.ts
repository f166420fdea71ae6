import { expect, test } from 'vitest';
import { ScriptedModel } from '#adapters/models/scripted-model.js';
import { Stage } from '../operations/team/casting-stage.js';
import { verifies } from '../verifies.js';
import { login } from './http-client.js';
import { servedOver, VIEWER } from './served.js';

const PROPOSALS = '/api/projects/demo/casting/proposals';

async function served(stage = new Stage()) {
  return { stage, ...(await servedOver(stage)) };
}

verifies(
  ['http.shape', 'casting.goal'],
  'a proposal is made, shown, listed, changed, confirmed and gone; each with its code',
  async () => {
    const { stage, send } = await served();
    expect((await send('GET', PROPOSALS)).body).toEqual({ proposals: [] });
    const made = await send('POST', PROPOSALS, {
      mode: 'free_text',
      goal: 'write a guide',
      team_size: 2,
      offline: true,
    });
    expect(made.status).toBe(201);
    const own = `${PROPOSALS}/${String(made.body['proposal_id'])}`;
    expect((await send('GET', own)).body).toEqual(made.body);
    expect((await send('GET', PROPOSALS)).body).toEqual({ proposals: [made.body] });
    const members = [{ archetype_id: 'writer' }, { archetype_id: 'editor' }];
    const changed = await send('PATCH', own, { members, universe: 'Dune', revision: 1 });
    expect(changed).toMatchObject({ status: 200, body: { revision: 2, universe: 'Dune' } });
    const stale = await send('PATCH', own, { members, revision: 1 });
    expect([stale.status, stale.body.error.code]).toEqual([409, 'proposal_changed']);
    const foreign = await send('PATCH', own, { members: [{ archetype_id: 'writer', proposed_name: 'Frodo' }] });
    expect([foreign.status, foreign.body.error.code]).toEqual([422, 'name_invalid']);
    expect(foreign.body.error.details).toMatchObject({ names: [{ name: 'Frodo' }] });
    expect(stage.files()).toEqual({});
    const done = await send('POST', `${own}/confirm`, { revision: 2 });
    expect(done).toMatchObject({ status: 200, body: { added: ['Paul', 'Jessica'] } });
    expect((await send('GET', own)).status).toBe(404);
    const next = await send('POST', PROPOSALS, { mode: 'manual', role_ids: ['qa-engineer'] });
    const second = `${PROPOSALS}/${String(next.body['proposal_id'])}`;
    const choice = await send('POST', `${second}/confirm`, {});
    expect([choice.status, choice.body.error.code]).toEqual([409, 'requires_choice']);
    const intent = await send('POST', `${second}/confirm`, { intent: 'merge' });
    expect([intent.status, intent.body.error.code]).toEqual([400, 'intent_invalid']);
    expect(await send('DELETE', second)).toMatchObject({ status: 204, body: undefined });
    expect((await send('DELETE', second)).status).toBe(404);
  },
);

verifies('http.shape', 'every refusal has code, message and details; fields without meaning are refused', async () => {
  const { send } = await served();
  for (const [method, target, body, status, code] of [
    ['POST', PROPOSALS, {}, 400, 'bad_request'],
    ['POST', PROPOSALS, { mode: '__proto__' }, 400, 'bad_request'],
    ['POST', PROPOSALS, { mode: 'free_text', goal: ' ' }, 400, 'bad_request'],
    ['POST', PROPOSALS, { mode: 'free_text', goal: 'x', team_size: 21 }, 400, 'bad_request'],
    ['POST', PROPOSALS, { mode: 'manual', archetype_ids: ['writer'], goal: 'x' }, 400, 'bad_request'],
    ['POST', PROPOSALS, { mode: 'manual', archetype_ids: ['writer'], role_ids: ['editor'] }, 400, 'bad_request'],
    ['POST', PROPOSALS, { mode: 'manual', archetype_ids: ['plumber'] }, 400, 'unknown_archetype'],
    ['POST', PROPOSALS, { mode: 'scenario', template_id: 'none' }, 404, 'unknown_grouping'],
    ['POST', PROPOSALS, { mode: 'manual', archetype_ids: ['writer'], universe: 'Narnia' }, 400, 'universe_invalid'],
    ['PATCH', `${PROPOSALS}/nope`, { universe: 'Dune' }, 404, 'no_proposal'],
    ['GET', '/api/projects/other/casting/proposals', undefined, 404, 'not_found'],
    ['GET', '/api/projects/%E0%A4%A/casting/proposals', undefined, 404, 'unknown_route'],
    ['PUT', PROPOSALS, {}, 405, 'method_not_allowed'],
    ['GET', '/api/catalog/archetypes/plumber', undefined, 404, 'not_found'],
  ] as const) {
    const answer = await send(method, target, body);
    expect([answer.status, answer.body.error.code], `${method} ${target} ${JSON.stringify(body)}`).toEqual([
      status,
      code,
    ]);
    expect(answer.body.error).toMatchObject({ message: expect.any(String), details: expect.any(Object) });
  }
});

verifies('http.shape', 'viewers read and change nothing; without a token nobody does either', async () => {
  const { stage, send } = await served();
  const viewer = { authorization: `Bearer ${VIEWER}` };
  const made = await send('POST', PROPOSALS, { mode: 'manual', archetype_ids: ['writer'] });
  const own = `${PROPOSALS}/${String(made.body['proposal_id'])}`;
  expect((await send('GET', own, undefined, viewer)).body).toEqual(made.body);
  expect((await send('GET', '/api/catalog/groupings', undefined, viewer)).status).toBe(200);
  for (const [method, target, body] of [
    ['POST', PROPOSALS, { mode: 'manual', archetype_ids: ['editor'] }],
    ['PATCH', own, { universe: 'Dune' }],
    ['POST', `${own}/confirm`, {}],
    ['DELETE', own, undefined],
  ] as const) {
    const answer = await send(method, target, body, viewer);
    expect([answer.status, answer.body.error.code], `${method} ${target}`).toEqual([403, 'forbidden']);
    expect((await send(method, target, body, {})).status).toBe(401);
  }
  expect((await send('GET', own)).body).toEqual(made.body);
  expect(stage.files()).toEqual({});
});

verifies(
  ['http.shape', 'ask.fallback'],
  'a model that answers nothing of use leaves it to the rules, with a warning',
  async () => {
    const stage = new Stage();
    stage.model = new ScriptedModel(['No.']);
    const { send } = await served(stage);
    const answer = await send('POST', PROPOSALS, { mode: 'free_text', goal: 'write a guide' });
    expect(answer.status).toBe(201);
    const ruled = expect.objectContaining({ code: 'rules_decided' });
    expect(answer.body).toMatchObject({ warnings: expect.arrayContaining([ruled]) });
  },
);

test('the catalog is read whole or by id; a page of ours may use it all', async () => {
  const { server, ask, send } = await served();
  for (const kind of ['archetypes', 'groupings', 'universes', 'workflows']) {
    const all = await send('GET', `/api/catalog/${kind}`);
    const [first] = all.body['entries'] as { id: string }[];
    expect((await send('GET', `/api/catalog/${kind}/${first?.id}`)).body).toEqual(first);
  }
  const cookie = await login(server, ask);
  const page = { cookie, origin: server.address };
  expect((await send('POST', PROPOSALS, { mode: 'analysis', offline: true }, page)).status).toBe(201);
  expect((await send('POST', PROPOSALS, { mode: 'analysis' }, { cookie })).status).toBe(403);
});
