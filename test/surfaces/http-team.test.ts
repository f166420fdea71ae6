import { expect } from 'vitest';
import { callOperation } from '#operations/call.js';
import { confirm } from '#operations/squad/confirm.js';
import { manual } from '#operations/squad/proposals.js';
import { OPERATIONS } from '#operations/table.js';
import { Stage } from '../operations/team/casting-stage.js';
import { git } from '../repository.js';
import { verifies } from '../verifies.js';
import { bearer, json, serve } from './http-client.js';

const TEAM = '/api/projects/demo/team';

verifies(['sync.commit', 'sync.status', 'sync.refuse'], 'the team is looked at and committed over HTTP', async () => {
  const stage = new Stage();
  const call = async (name: string, input: unknown) => {
    const spec = OPERATIONS.find((candidate) => candidate.name === name);
    if (!spec) throw new Error(`no operation ${name}`);
    return await callOperation(spec, stage.context(), input);
  };
  const { ask } = await serve({ call, operations: OPERATIONS });
  const get = async (target: string) => {
    const answer = await ask(target, { headers: bearer });
    return { status: answer.status, body: answer.json() as never };
  };
  const commit = async (body: object) => {
    const given = { method: 'POST', headers: { ...bearer, ...json }, body: JSON.stringify(body) };
    const answer = await ask(`${TEAM}/sync`, given);
    return { status: answer.status, body: answer.json() as { commit_id?: string; error?: { code: string } } };
  };
  expect(await get(TEAM)).toMatchObject({ status: 404, body: { error: { code: 'no_team' } } });
  expect(await get(`${TEAM}/sync`)).toMatchObject({ status: 409, body: { error: { code: 'sync_unavailable' } } });
  git(stage.folder, 'init', '--quiet');
  git(stage.folder, 'config', 'user.name', 'Ann');
  git(stage.folder, 'config', 'user.email', 'ann@example.org');
  await stage.call(manual, { archetypes: ['writer'], universe: 'Dune' });
  await stage.call(confirm);
  expect(await get(TEAM)).toMatchObject({ status: 200, body: { universe: 'Dune' } });
  expect(await get(`${TEAM}/members/paul`)).toMatchObject({ status: 200, body: { member: { name: 'Paul' } } });
  const { body: seen } = await get(`${TEAM}/sync`);
  const { change_set_hash: hash } = seen as { change_set_hash: string };
  expect(seen).toEqual({ changes: expect.any(Array), change_set_hash: hash, nothing_to_sync: false });
  expect(await get(`${TEAM}/sync/diff`)).toMatchObject({ body: { diff: expect.stringContaining('+# Squad Team') } });
  const stale = await commit({ expected_change_set_hash: 'f00' });
  expect([stale.status, stale.body.error?.code]).toEqual([409, 'sync_state_changed']);
  expect((await commit({ message: 'Cast' })).status).toBe(400);
  const done = await commit({ expected_change_set_hash: hash, message: 'Cast the team' });
  expect(done).toEqual({ status: 201, body: { commit_id: git(stage.folder, 'rev-parse', 'HEAD').trim() } });
  const nothing = await commit({ expected_change_set_hash: '' });
  expect([nothing.status, nothing.body.error?.code]).toEqual([400, 'nothing_to_sync']);
});
