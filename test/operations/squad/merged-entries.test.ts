import { cpSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { decisionList } from '#operations/squad/decisions.js';
import { inboxAdd, inboxList, inboxMerge, inboxReject } from '#operations/squad/inbox.js';
import type { TeamInbox } from '#ports/team-inbox.js';
import { verifies } from '../../verifies.js';
import { MemoryStage } from '../team/memory-stage.js';

const PROPOSED = { agent: 'Neo', title: 'One store', type: 'scope', content: 'Keep it.' } as const;
const statuses = async (stage: MemoryStage) =>
  (await stage.call(inboxList, { status: 'all' })).entries.map(({ status, settled_by }) => [status, settled_by]);

verifies(
  'one.memory',
  'a merge that ends after its decision was written is settled by whoever looks next',
  async () => {
    const stage = await MemoryStage.withTeam();
    await stage.call(inboxAdd, PROPOSED);
    const cutOff = { ...bound(stage.teamInbox), settle: () => Promise.reject(new Error('killed')) };
    const context = { ...stage.context(), teamInbox: async () => cutOff };
    await expect(inboxMerge.run(context, { number: 1 })).rejects.toThrow('killed');
    expect((await stage.call(decisionList)).decisions.map(({ title }) => title)).toEqual(['One store']);
    const settled = expect.objectContaining({ code: 'memory_settled' });
    await expect(stage.call(inboxReject, { number: 1 })).rejects.toEqual(settled);
    expect(await statuses(stage)).toEqual([['merged', 'ann']]);
    await expect(stage.call(inboxMerge, { number: 1 })).rejects.toEqual(settled);
    expect((await stage.call(decisionList)).decisions).toHaveLength(1);
  },
);

verifies(
  'one.memory',
  'what another clone merged is merged here; another text under its slug still waits',
  async () => {
    const [here, there] = [await MemoryStage.withTeam(), new MemoryStage()];
    const copy = (from: MemoryStage, to: MemoryStage) =>
      cpSync(path.join(from.folder, '.squad'), path.join(to.folder, '.squad'), { recursive: true });
    copy(here, there);
    for (const stage of [here, there]) await stage.call(inboxAdd, PROPOSED);
    await here.call(inboxAdd, { ...PROPOSED, slug: 'other', content: 'Here.' });
    await there.call(inboxAdd, { ...PROPOSED, slug: 'other', content: 'There.' });
    for (const number of [1, 2]) await here.call(inboxMerge, { number });
    copy(here, there);
    expect(await statuses(there)).toEqual([
      ['merged', 'ann'],
      ['pending', undefined],
    ]);
    await there.call(inboxMerge, { number: 2 });
    expect((await there.call(decisionList)).decisions.map(({ content }) => content)).toEqual([
      ...['Keep it.', 'Here.', 'There.'],
    ]);
  },
);

/** The methods of an object, for one that takes the place of some of them. */
function bound(inbox: TeamInbox): TeamInbox {
  return {
    file: (entry) => inbox.file(entry),
    entry: (number) => inbox.entry(number),
    entries: (filter) => inbox.entries(filter),
    settle: (number, settlement) => inbox.settle(number, settlement),
    storedMarks: (marks) => inbox.storedMarks(marks),
    mark: (marks) => inbox.mark(marks),
    waiting: () => inbox.waiting(),
    wait: (lines) => inbox.wait(lines),
    release: (lines) => inbox.release(lines),
    close: () => inbox.close(),
  };
}
