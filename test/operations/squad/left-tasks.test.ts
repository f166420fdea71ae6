import { expect } from 'vitest';
import { addTask } from '#core/graph/add.js';
import { confirm } from '#operations/squad/confirm.js';
import { rename, retire } from '#operations/squad/members.js';
import { manual } from '#operations/squad/proposals.js';
import { GraphInMemory } from '../../graph-in-memory.js';
import { verifies } from '../../verifies.js';
import { Stage } from '../team/casting-stage.js';

async function teamOfTwo() {
  const stage = new Stage();
  const store = new GraphInMemory({ now: () => stage.now });
  stage.store = store;
  await stage.call(manual, { archetypes: ['writer', 'qa-engineer'], universe: 'The Matrix' });
  await stage.call(confirm);
  for (const [id, member] of [
    ['draft', 'Neo'],
    ['test', 'Trinity'],
  ] as const)
    await store.commit((view) =>
      addTask(view, { id, title: id, member, no_place: true }, { now: stage.now, actor: 'ann' }),
    );
  const owners = async () => {
    const view = await store.view();
    return ['draft', 'test'].map((id) => view.task(id)?.member);
  };
  const told = async () => {
    const entries = [];
    for await (const entry of store.entries(1)) if (entry.op === 'team') entries.push(entry);
    return entries;
  };
  return { stage, store, owners, told };
}

verifies(
  ['member.retire', 'bridge.same-step', 'confirm.idempotent'],
  'who is retired by a confirm has no open tasks left; asked again, it says the same and nothing is written',
  async () => {
    const { stage, store, owners, told } = await teamOfTwo();
    stage.now += 60_000;
    await stage.call(manual, { archetypes: ['writer'], intent: 'recast' });
    const first = await stage.call(confirm, { intent: 'recast' });
    expect(first).toMatchObject({ retired: ['Trinity'], tasks: ['test'] });
    expect(await owners()).toEqual(['Neo', undefined]);
    const [, second] = await told();
    expect(second).toMatchObject({
      actor: 'ann',
      detail: {
        operation: first.snapshot_id,
        intent: 'recast',
        left: ['Trinity'],
        tasks: ['test'],
        leader: first.leader,
      },
    });
    const { seq } = await store.view();
    expect(await stage.call(confirm, { intent: 'recast' })).toEqual(first);
    expect((await store.view()).seq).toBe(seq);
  },
);

verifies(
  ['member.retire', 'member.restore', 'bridge.same-step'],
  'whoever retires or is renamed one by one is told of in the log too, with its tasks',
  async () => {
    const { stage, owners, told } = await teamOfTwo();
    const renamed = await stage.call(rename, { member: 'Neo', name: 'Anderson' });
    expect(renamed.tasks).toEqual(['draft']);
    expect(await owners()).toEqual(['Anderson', 'Trinity']);
    const retired = await stage.call(retire, { member: 'Trinity', leader: 'Anderson' });
    expect(retired.tasks).toEqual(['test']);
    expect(await owners()).toEqual(['Anderson', undefined]);
    expect((await told()).map(({ detail }) => detail?.['left'])).toEqual([[], ['Neo'], ['Trinity']]);
  },
);
