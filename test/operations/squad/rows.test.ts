import { expect, test } from 'vitest';
import { addTask } from '#core/graph/add.js';
import { claimTask } from '#core/graph/moves.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { callOperation } from '#operations/call.js';
import type { Context } from '#operations/operation.js';
import { decisionAdd, decisionArchive, decisionList } from '#operations/squad/decisions.js';
import { inboxAdd, inboxList, inboxMerge, inboxReject } from '#operations/squad/inbox.js';
import { add, list } from '#operations/squad/memories.js';
import { fitting } from '#operations/squad/memory-shapes.js';
import { sessionChange, sessionList, sessionShow, sessionStart } from '#operations/squad/work-sessions.js';
import { OPERATIONS } from '#operations/table.js';
import { GraphInMemory } from '../../graph-in-memory.js';
import { verifies } from '../../verifies.js';
import { MemoryStage } from '../team/memory-stage.js';

const specOf = (name: string) => {
  const found = OPERATIONS.find((spec) => spec.name === name);
  if (!found) throw new Error(`no operation ${name}`);
  return found;
};
const coded = (code: string) => expect.objectContaining({ code });

test('members remember what they are told, under their slug; nobody else does', async () => {
  const stage = await MemoryStage.withTeam();
  const made = await stage.call(add, { agent: 'NEO', content: ' Tests come first.\r\nAlways. ' });
  expect(made).toMatchObject({ agent: 'neo', type: 'learning', importance: 'medium', created_by: 'ann' });
  expect(made.content).toBe('Tests come first.\nAlways.');
  const rows = (await stage.call(list, { agent: 'Neo', type: 'learning' })).memories;
  expect(rows).toEqual([made]);
  await expect(stage.call(add, { agent: 'Cypher', content: 'x' })).rejects.toEqual(coded('not_found'));
  await expect(stage.call(add, { agent: 'Neo', content: ' ' })).rejects.toEqual(coded('bad_input'));
  await expect(stage.call(add, { agent: 'Neo', content: 'a\u202eb' })).rejects.toEqual(coded('bad_input'));
});

test('a request that comes twice makes one row', async () => {
  const stage = await MemoryStage.withTeam();
  const context = { ...stage.context(), request: { requestId: 'r-1' } };
  const first = await add.run(context, { agent: 'Neo', content: 'Once.' });
  expect(await add.run(context, { agent: 'Neo', content: 'Once.' })).toEqual(first);
  const decided = await decisionAdd.run(context, { title: 'Once' });
  expect(await decisionAdd.run(context, { title: 'Once' })).toEqual(decided);
  await stage.call(sessionChange, { end: true });
  const begun = await sessionStart.run(context, { focus: 'Once' });
  expect(await sessionStart.run(context, { focus: 'Once' })).toEqual(begun);
});

test('a proposal waits until it is merged or rejected', async () => {
  const stage = await MemoryStage.withTeam();
  const given = { agent: 'Trinity', title: 'Écoute: one Store!', type: 'scope', rationale: 'Why not.' };
  const first = await stage.call(inboxAdd, given);
  expect(first).toMatchObject({ number: 1, slug: 'ecoute-one-store', agent: 'trinity', filed: 'added' });
  expect((await stage.call(inboxAdd, given)).filed).toBe('same');
  expect(await stage.call(inboxAdd, { ...given, content: 'More.' })).toMatchObject({ number: 1, filed: 'changed' });
  await expect(stage.call(inboxAdd, { agent: 'Neo', title: '。' })).rejects.toEqual(coded('bad_input'));
  await expect(stage.call(inboxAdd, { agent: 'Neo', title: 'x', slug: '../x' })).rejects.toEqual(coded('bad_input'));
  expect(await stage.call(inboxMerge, { number: 1 })).toMatchObject({
    entry: { status: 'merged', settled_by: 'ann' },
    decision: { number: 1, agent: 'trinity', content: 'More.', rationale: 'Why not.' },
  });
  await expect(stage.call(inboxAdd, given)).rejects.toEqual(coded('memory_settled'));
  await expect(stage.call(inboxReject, { number: 1 })).rejects.toEqual(coded('memory_settled'));
  await stage.call(inboxAdd, { agent: 'Neo', title: 'Other' });
  expect(await stage.call(inboxReject, { number: '2', reason: 'No.' })).toMatchObject({ entry: { reason: 'No.' } });
  expect((await stage.call(inboxList)).entries).toEqual([]);
  expect((await stage.call(inboxList, { status: 'all' })).entries).toHaveLength(2);
});

verifies(
  'guard.rights',
  'a run proposes for the member of its task while it holds it, and settles nothing',
  async () => {
    const stage = await MemoryStage.withTeam();
    const clock = { now: () => stage.now };
    const store = new GraphInMemory(clock);
    stage.store = store;
    const now = stage.now;
    await store.commit((view) => addTask(view, { title: 'x', id: 'x', member: 'Neo' }, { now, actor: 'ann' }));
    await store.commit((view) => addTask(view, { title: 'y', id: 'y' }, { now, actor: 'ann' }));
    for (const id of ['x', 'y']) await store.commit((view) => claimTask(view, id, { now, by: { name: 'agent-1' } }));
    const runs = async () => ({ identity: async () => undefined, keepRefused: async () => undefined }) as never;
    const as = (taskId: string, fence: number) => ({
      ...{ ...stage.context(), runs },
      caller: { kind: 'run', name: 'agent-1', taskId, fence } as const,
    });
    const propose = (context: Context, agent: string) =>
      callOperation(specOf('inbox.add'), context, { agent, title: 'An idea' });
    expect(await propose(as('x', 1), 'Neo')).toMatchObject({ agent: 'neo', created_by: 'agent-1', status: 'pending' });
    await expect(propose(as('x', 1), 'Trinity')).rejects.toEqual(coded('not_yours'));
    await expect(propose(as('y', 1), 'Neo')).rejects.toEqual(coded('not_yours'));
    await expect(propose(as('x', 0), 'Neo')).rejects.toEqual(coded('stale_attempt'));
    for (const name of [
      'inbox.merge',
      'inbox.reject',
      'memory.add',
      'decision.add',
      'memory.import',
      'teamsession.start',
    ])
      await expect(callOperation(specOf(name), as('x', 1), {}), name).rejects.toEqual(coded('not_yours'));
  },
);

test('decisions are added, superseded and archived', async () => {
  const stage = await MemoryStage.withTeam();
  await stage.call(decisionAdd, { title: 'One' });
  await stage.call(decisionAdd, { title: 'Two', supersedes: 1, agent: 'Neo' });
  await stage.call(decisionArchive, { number: 2 });
  expect((await stage.call(decisionList)).decisions).toMatchObject([
    { number: 1, type: 'process', status: 'superseded', superseded_by: 2 },
    { number: 2, agent: 'neo', status: 'archived' },
  ]);
  expect((await stage.call(decisionList, { status: 'active' })).decisions).toEqual([]);
  await expect(stage.call(decisionArchive, { number: 2 })).rejects.toEqual(coded('memory_settled'));
  await expect(stage.call(decisionAdd, { title: 'x', supersedes: 9 })).rejects.toEqual(coded('not_found'));
  await expect(stage.call(decisionAdd, { title: 'x', agent: 'Cypher' })).rejects.toEqual(coded('not_found'));
  await expect(stage.call(decisionAdd, { title: 'Ship it \u{1f680}' })).rejects.toEqual(coded('bad_input'));
});

test('one session at a time, from its beginning to its end', async () => {
  const stage = await MemoryStage.withTeam();
  await expect(stage.call(sessionStart, { focus: 'x' })).rejects.toEqual(coded('session_open'));
  await expect(stage.call(sessionChange, {})).rejects.toEqual(coded('bad_input'));
  expect(await stage.call(sessionChange, { focus: 'Release', context: 'Soon.', end: true })).toMatchObject({
    ...{ focus: 'Release', context: 'Soon.', status: 'ended' },
  });
  expect(await stage.call(sessionShow)).toEqual({ session: null });
  await expect(stage.call(sessionChange, { end: true })).rejects.toEqual(coded('not_found'));
  const second = await stage.call(sessionStart, { focus: 'Next' });
  expect((await stage.call(sessionShow)).session).toEqual(second);
  expect((await stage.call(sessionList)).sessions.map(({ status }) => status)).toEqual(['ended', 'open']);
});

test('an answer holds the latest rows that fit into it, to the byte, and at least one', () => {
  // Each with its quotes is half of what fits.
  const [half, more] = ['x'.repeat(TEAM_LIMITS.memoryListedBytes / 2 - 2), 'x'.repeat(TEAM_LIMITS.memoryListedBytes)];
  expect(fitting(['first', half, half])).toHaveLength(2);
  expect(fitting([half, half])).toHaveLength(2);
  expect(fitting([half, more])).toHaveLength(1);
});
