import { expect } from 'vitest';
import { INBOX, inboxFile, MemoryStage } from '../operations/team/memory-stage.js';
import { verifies } from '../verifies.js';
import { servedOver, VIEWER } from './served.js';

const PROJECT = '/api/projects/demo';

/** A server over a team with a memory; addresses are those below its project. */
async function served() {
  const stage = await MemoryStage.withTeam();
  const { send } = await servedOver(stage);
  const below: typeof send = (method, target, ...more) => send(method, `${PROJECT}${target}`, ...more);
  return { stage, send: below };
}

verifies(
  'http.shape',
  'decisions and the inbox are read, added to, merged and rejected; each with its code',
  async () => {
    const { send } = await served();
    expect(await send('GET', '/decisions')).toMatchObject({ status: 200, body: { decisions: [] } });
    const made = await send('POST', '/decisions', { title: 'One', type: 'scope', rationale: 'Why.' });
    expect(made).toMatchObject({ status: 201, body: { number: 1, status: 'active', created_by: 'ann' } });
    expect((await send('GET', '/decisions?status=active')).body).toEqual({ decisions: [made.body] });
    expect((await send('PUT', '/decisions/1', { status: 'archived' })).body).toMatchObject({ status: 'archived' });
    expect((await send('PUT', '/decisions/1', { status: 'archived' })).status).toBe(409);
    const proposed = await send('POST', '/decisions/inbox', { agent: 'Neo', title: 'Two' });
    expect(proposed).toMatchObject({
      status: 201,
      body: { number: 1, slug: 'two', stored_slug: 'two', status: 'pending' },
    });
    await send('POST', '/decisions/inbox', { agent: 'Neo', title: 'Three' });
    expect((await send('GET', '/decisions/inbox?limit=1')).body).toMatchObject({ entries: [{ number: 2 }] });
    expect(await send('POST', '/decisions/inbox/1/merge', {})).toMatchObject({
      ...{ status: 200, body: { entry: { status: 'merged' }, decision: { number: 2, title: 'Two' } } },
    });
    expect(await send('POST', '/decisions/inbox/2/reject', { reason: 'No.' })).toMatchObject({
      ...{ status: 200, body: { entry: { status: 'rejected', reason: 'No.' } } },
    });
    expect((await send('GET', '/decisions/inbox?status=all')).body).toMatchObject({ entries: [{}, {}] });
  },
);

verifies('http.shape', 'memories, sessions, import and export as resources', async () => {
  const { stage, send } = await served();
  const made = await send('POST', '/memory', { agent: 'Neo', content: 'Tests.', type: 'pattern', importance: 'low' });
  expect(made.status).toBe(201);
  expect((await send('GET', '/memory?agent=neo&type=pattern')).body).toEqual({ memories: [made.body] });
  expect((await send('GET', '/sessions/current')).body).toMatchObject({ number: 1, status: 'open' });
  expect((await send('POST', '/sessions', { focus: 'x' })).body.error.code).toBe('session_open');
  expect((await send('PUT', '/sessions/current', { focus: 'Release', end: true })).body).toMatchObject({
    status: 'ended',
  });
  expect((await send('GET', '/sessions/current')).status).toBe(404);
  expect((await send('PUT', '/sessions/current', { end: true })).status).toBe(404);
  expect((await send('POST', '/sessions', { focus: 'Next', context: 'c' })).status).toBe(201);
  expect((await send('GET', '/sessions')).body).toMatchObject({ sessions: [{ focus: 'Release' }, { focus: 'Next' }] });
  stage.put(`${INBOX}/a.md`, inboxFile());
  stage.put(`${INBOX}/b.md`, 'nothing');
  const imported = await send('POST', '/memory/import');
  expect(imported.status).toBe(200);
  expect(Object.keys(imported.body)).toEqual(['imported', 'skipped']);
  expect(imported.body).toMatchObject({ imported: [{ file: `${INBOX}/a.md` }], skipped: [{ file: `${INBOX}/b.md` }] });
  const exported = await send('POST', '/memory/export', {});
  expect(Object.keys(exported.body)).toEqual(['exported', 'kept']);
  expect(exported.body).toMatchObject({ kept: [{ file: `${INBOX}/b.md` }] });
});

verifies('http.shape', 'what is refused has its code; viewers read every path and change none', async () => {
  const { stage, send } = await served();
  for (const [method, target, body, status, code] of [
    ['POST', '/decisions', {}, 400, 'bad_request'],
    ['POST', '/decisions', { title: 'x', by: 'me' }, 400, 'bad_request'],
    ['POST', '/decisions', { title: 'x', type: 'pattern' }, 400, 'bad_request'],
    ['POST', '/decisions', { title: 'x', supersedes: 4 }, 404, 'not_found'],
    ['PUT', '/decisions/1', { status: 'active' }, 400, 'bad_request'],
    ['PUT', '/decisions/x', { status: 'archived' }, 404, 'not_found'],
    ['GET', '/decisions?status=gone', undefined, 400, 'bad_request'],
    ['GET', '/decisions?limit=x', undefined, 400, 'bad_request'],
    ['GET', '/decisions?what=1', undefined, 400, 'bad_request'],
    ['POST', '/decisions/inbox/9/merge', {}, 404, 'not_found'],
    ['POST', '/decisions/inbox/0/merge', {}, 404, 'not_found'],
    ['POST', '/decisions/inbox/1e1/reject', {}, 404, 'not_found'],
    ['GET', '/decisions/inbox/1/merge', undefined, 405, 'method_not_allowed'],
    ['POST', '/memory', { agent: 'Cypher', content: 'x' }, 404, 'not_found'],
    ['POST', '/memory/import', { force: true }, 400, 'bad_request'],
    ['PUT', '/sessions/current', {}, 400, 'bad_request'],
    ['DELETE', '/sessions/current', undefined, 405, 'method_not_allowed'],
  ] as const) {
    const answer = await send(method, target, body);
    expect([answer.status, answer.body.error.code], `${method} ${target}`).toEqual([status, code]);
    expect(answer.body.error).toMatchObject({ message: expect.any(String), details: expect.any(Object) });
  }
  const viewer = { authorization: `Bearer ${VIEWER}` };
  const before = stage.files();
  for (const target of ['/decisions', '/decisions/inbox', '/memory', '/sessions', '/sessions/current'])
    expect((await send('GET', target, undefined, viewer)).status, target).toBe(200);
  for (const [method, target] of [
    ['POST', '/decisions'],
    ['PUT', '/decisions/1'],
    ['POST', '/decisions/inbox'],
    ['POST', '/decisions/inbox/1/merge'],
    ['POST', '/decisions/inbox/1/reject'],
    ['POST', '/memory'],
    ['POST', '/memory/import'],
    ['POST', '/memory/export'],
    ['POST', '/sessions'],
    ['PUT', '/sessions/current'],
  ] as const) {
    expect(await send(method, target, {}, viewer), target).toMatchObject({
      status: 403,
      body: { error: { code: 'forbidden' } },
    });
    expect((await send(method, target, {}, {})).status, target).toBe(401);
  }
  expect(stage.files()).toEqual(before);
});
