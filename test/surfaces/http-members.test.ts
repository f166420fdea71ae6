import { expect } from 'vitest';
import { confirm } from '#operations/squad/confirm.js';
import { manual } from '#operations/squad/proposals.js';
import { Stage } from '../operations/team/casting-stage.js';
import { verifies } from '../verifies.js';
import { servedOver, VIEWER } from './served.js';

const TEAM = '/api/projects/demo/team';
const MEMBERS = `${TEAM}/members`;

/** A server over a project with a team. */
async function served(...archetypes: string[]) {
  const stage = new Stage();
  const { send } = await servedOver(stage);
  if (archetypes.length > 0) {
    await stage.call(manual, { archetypes, universe: 'The Matrix' });
    await stage.call(confirm);
  }
  return { stage, send };
}

verifies(
  ['member.add', 'member.rerole', 'member.retire', 'member.restore'],
  'over HTTP: a member is added, looked at, changed, named anew, gone and back, each with its code',
  async () => {
    const { stage, send } = await served('lead-architect', 'writer');
    expect((await send('GET', TEAM)).body).toMatchObject({ universe: 'The Matrix', leader: 'Neo' });
    expect((await send('POST', MEMBERS, { archetype_id: 'qa-engineer' })).status).toBe(201);
    const { body } = await send('GET', MEMBERS);
    expect((body['members'] as object[])[2]).toMatchObject({
      name: 'Morpheus',
      archetype_id: 'qa-engineer',
      role_title: 'QA Engineer',
      built_in: false,
      charter_path: '.squad/agents/morpheus/charter.md',
    });
    const own = `${MEMBERS}/morpheus`;
    expect((await send('GET', own)).body).toMatchObject({ leads: false, member: { name: 'Morpheus' } });
    expect((await send('GET', `${own}/charter`)).body['charter']).toContain('# Morpheus — QA Engineer');
    expect((await send('GET', `${own}/history`)).body['history']).toContain('# History of Morpheus');
    expect(await send('PATCH', own, { role_id: 'editor' })).toMatchObject({
      status: 200,
      body: { changed: true, member: { archetype_id: 'editor' } },
    });
    expect((await send('PATCH', own, { name: 'Switch Board' })).body).toMatchObject({ previous_name: 'Morpheus' });
    expect((await send('DELETE', `${MEMBERS}/Switch%20Board`)).status).toBe(204);
    expect((await send('PATCH', `${MEMBERS}/switch-board`, { status: 'Active' })).status).toBe(200);
    expect((await send('DELETE', `${MEMBERS}/neo`, { leader: 'trinity' })).status).toBe(204);
    expect((await send('GET', TEAM)).body['leader']).toBe('Trinity');
    expect(Object.keys(stage.files())).toContain('.squad/agents/switch-board/charter.md');
  },
);

verifies(
  ['member.retire', 'member.add'],
  'over HTTP: what cannot be done says so by its code, and changes nothing',
  async () => {
    const { stage, send } = await served('lead-architect', 'writer');
    const before = stage.files();
    for (const [method, target, body, status, code] of [
      ['POST', MEMBERS, {}, 400, 'bad_request'],
      ['POST', MEMBERS, { archetype_id: 'plumber' }, 400, 'unknown_archetype'],
      ['POST', MEMBERS, { archetype_id: 'writer', name: 'Dozer' }, 400, 'bad_request'],
      ['GET', `${MEMBERS}/cypher`, undefined, 404, 'not_found'],
      ['GET', `${MEMBERS}/..%2F..%2Fetc/charter`, undefined, 404, 'not_found'],
      ['PATCH', `${MEMBERS}/neo`, {}, 400, 'bad_request'],
      ['PATCH', `${MEMBERS}/neo`, { status: 'Retired' }, 400, 'bad_request'],
      ['PATCH', `${MEMBERS}/neo`, { name: 'Trinity' }, 422, 'name_invalid'],
      ['PATCH', `${MEMBERS}/rai`, { role_id: 'writer' }, 422, 'builtin_member'],
      ['DELETE', `${MEMBERS}/neo`, undefined, 409, 'leader_needed'],
      ['DELETE', `${MEMBERS}/scribe`, undefined, 422, 'builtin_member'],
      ['PUT', MEMBERS, {}, 405, 'method_not_allowed'],
    ] as const) {
      const answer = await send(method, target, body);
      expect([answer.status, answer.body.error.code], `${method} ${target}`).toEqual([status, code]);
    }
    const viewer = { authorization: `Bearer ${VIEWER}` };
    expect((await send('GET', TEAM, undefined, viewer)).status).toBe(200);
    for (const [method, target, body] of [
      ['POST', MEMBERS, { archetype_id: 'writer' }],
      ['PATCH', `${MEMBERS}/neo`, { role_id: 'writer' }],
      ['DELETE', `${MEMBERS}/trinity`, undefined],
    ] as const) {
      expect((await send(method, target, body, viewer)).status, method).toBe(403);
    }
    expect(stage.files()).toEqual(before);
    const { send: elsewhere } = await served();
    expect((await elsewhere('GET', TEAM)).status).toBe(404);
  },
);
