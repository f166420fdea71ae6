import { expect } from 'vitest';
import type { Entry } from '#core/graph/event.js';
import type { TroupeError } from '#kernel/errors.js';
import { refuseUnexpected } from '#operations/squad/outside-files.js';
import { scoredMembers } from '#operations/squad/scored-members.js';
import { earlierAnswer, TeamLog } from '#operations/squad/team-log.js';
import { memberAnswer } from '#operations/squad/team-shapes.js';
import { agent, role, tradeoff } from '../../core/agency/people.js';
import { type World, world } from '../../e2e/world.js';
import { verifies } from '../../verifies.js';

const SNAPSHOT = {
  ...{ snapshotId: 's-1', intent: 'Augment', universe: 'Alien', leader: 'Ripley', by: 'ann' },
  ...{ members: ['Ripley', 'Hicks'], addedMembers: ['Hicks'] },
};

async function entriesFrom({ store }: World, seq: number): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of store.entries(seq)) entries.push(entry);
  return entries;
}

verifies('test.bites', 'a change of the team is one entry of the log, with the tasks that it unassigns', async () => {
  const own = world();
  const log = new TeamLog(async () => own.store, own.clock);
  expect(await log.end()).toBe(0);
  await own.addAll([
    { id: 'b', member: 'Newt' },
    { id: 'a', member: 'newt' },
    { id: 'c', member: 'Gorman' },
    { id: 'd', member: 'Ripley' },
  ]);
  const left = [{ name: 'Newt' }, { name: 'Gorman', next: 'Burke' }];
  const before = await log.end();
  expect(await log.has('change-1', before ?? 0)).toBe(false);
  expect(await log.enter({ snapshot: SNAPSHOT, left } as never, 'change-1')).toEqual({ tasks: ['a', 'b', 'c'] });
  const [entry] = await entriesFrom(own, (before ?? 0) + 1);
  expect(entry).toMatchObject({ op: 'team', actor: 'ann', patch: [] });
  expect(entry?.detail).toEqual({
    ...{ operation: 's-1', change: 'change-1', intent: 'augment', universe: 'Alien', leader: 'Ripley' },
    ...{ members: ['Ripley', 'Hicks'], added: ['Hicks'], left: ['Newt', 'Gorman'], tasks: ['a', 'b', 'c'] },
  });
  const view = await own.store.view();
  expect(['a', 'b', 'c', 'd'].map((id) => view.task(id)?.member)).toEqual([undefined, undefined, 'Burke', 'Ripley']);
  expect([await log.has('change-1', before ?? 0), await log.has('change-2', before ?? 0)]).toEqual([true, false]);
  expect(await earlierAnswer(own.context, 's-1')).toEqual({ tasks: ['a', 'b', 'c'] });
  expect(await earlierAnswer(own.context, 's-2')).toEqual({ tasks: [] });
});

verifies('test.bites', 'a change without a snapshot, and a log with other entries, have answers as well', async () => {
  const own = world();
  const log = new TeamLog(async () => own.store, own.clock);
  expect(await log.enter({ snapshot: undefined, left: [] } as never, 'change-1')).toEqual({ tasks: [] });
  const [entry] = await entriesFrom(own, 1);
  expect(entry).toMatchObject({ actor: 'troupe' });
  expect(entry?.detail).toEqual({
    ...{ operation: '', change: 'change-1', intent: '', universe: '', leader: '', members: [], added: [], left: [] },
    tasks: [],
  });
  const note = (op: string, detail: object) => ({ op, detail: { operation: 's-1', ...detail }, patch: [] });
  const events = [
    note('other', { tasks: ['x'] }),
    note('team', { tasks: ['a', 1, 'b'] }),
    note('team', { tasks: ['y'] }),
  ];
  await own.store.commit(() => ({ events, result: undefined }));
  expect(await earlierAnswer(own.context, 's-1')).toEqual({ tasks: ['a', 'b'] });
  await own.store.commit(() => ({
    events: [{ ...note('team', {}), detail: { operation: 's-3' } }],
    result: undefined,
  }));
  expect(await earlierAnswer(own.context, 's-3')).toEqual({ tasks: [] });
  expect(await new TeamLog(own.context.graph, own.clock).end()).toBe(5);
});

verifies('test.bites', 'files outside of the folder of the team are written only as expected', () => {
  const plan = (...paths: string[]) => ({ changes: paths.map((path) => ({ path })) as never });
  const refused = (...[expected, ...rest]: Parameters<typeof refuseUnexpected>) => {
    try {
      refuseUnexpected(expected, ...rest);
      return 'accepted';
    } catch (error) {
      const { code, message, details } = error as TroupeError;
      return { code, message, details };
    }
  };
  const both = plan('.squad/team.md', 'AGENTS.md', '.gitignore');
  expect(refused(undefined, both, 'configured')).toBe('accepted');
  expect(refused(['AGENTS.md', '.gitignore'], both, 'configured')).toBe('accepted');
  expect(refused([], plan('.squad/team.md'), 'wanted')).toBe('accepted');
  expect(refused(['AGENTS.md'], both, 'configured')).toEqual({
    ...{ code: 'outside_files', message: 'This writes outside .squad/: .gitignore, AGENTS.md.' },
    details: { files: ['.gitignore', 'AGENTS.md'], configured: ['AGENTS.md'], offered: [] },
  });
  expect(refused(['AGENTS.md'], both, 'wanted')).toMatchObject({ details: { configured: [], offered: [] } });
  const offered = () => plan('.squad/team.md', 'AGENTS.md', '.gitignore');
  const plain = plan('.squad/team.md', '.gitignore');
  expect(refused(['.gitignore'], plain, 'configured', offered)).toEqual({
    ...{ code: 'outside_files', message: 'This writes outside .squad/: .gitignore, AGENTS.md.' },
    details: { files: ['.gitignore'], configured: [], offered: ['AGENTS.md'] },
  });
  expect(refused(['.gitignore'], plain, 'configured')).toBe('accepted');
  const more = () => plan('AGENTS.md', '.claude/agents/ripley.md');
  expect(refused(['AGENTS.md', '.gitignore'], both, 'configured', more)).toBe('accepted');
  for (const how of ['wanted', 'untouched'] as const)
    expect(refused(['.gitignore'], plain, how, offered), how).toBe('accepted');
});

verifies('test.bites', 'members that share an agent have the scores of their own tasks', async () => {
  const own = world();
  const scored = agent('Pro', {}, [0.4, 0.8, 0.9, 0.1]);
  const records = [
    { kind: 'role', value: role('Pro') },
    { kind: 'tradeoff', value: tradeoff('Careful') },
    { kind: 'agent', value: scored },
  ].map(({ kind, value }) => ({ kind, id: value.id, file: value.id, retired: false, value: structuredClone(value) }));
  own.context.agency = async () => ({ read: async () => ({ records, warnings: [] }) }) as never;
  const member = (name: string, agentId?: string) =>
    ({ name, slug: name.toLowerCase(), ...(agentId === undefined ? {} : { agentId }) }) as never;
  const [hicks, newt, burke] = [member('Hicks', scored.id), member('Newt', scored.id), member('Burke')];
  await own.addAll([{ id: 't0', member: 'hicks' }, { id: 't1', member: 'Newt' }, { id: 't2' }]);
  const scores = async (members: never[], team: never[]) =>
    (await scoredMembers(own.context, members, team)).map(({ score, count, ...shown }) => [shown.name, score, count]);
  expect(await scores([hicks, newt, burke], [hicks, newt, burke])).toEqual([
    ['Hicks', 0.4, 1],
    ['Newt', 0.8, 1],
    ['Burke', null, 0],
  ]);
  const [shown] = await scoredMembers(own.context, [burke], [burke]);
  expect(shown).toEqual({ ...memberAnswer(burke), score: null, count: 0 });
  own.context.graph = () => Promise.reject(new Error('the graph is not read'));
  expect(await scores([burke], [burke])).toEqual([['Burke', null, 0]]);
});
