import path from 'node:path';
import { expect, test } from 'vitest';
import { TroupeError } from '#kernel/errors.js';
import * as rosters from '#operations/roster/rosters.js';
import { rosterTeam } from '#operations/roster/team-roster.js';
import type { RosterConfig } from '#ports/roster-config.js';
import { seedTree } from '../../core/roster/tree.js';
import { crewWith } from '../../core/teams/crew.js';
import { world } from '../../e2e/world.js';

/** Answers that were looked at and found good; whoever changes one looks again. `vitest -u` writes them. */
const GOLDEN = path.join(import.meta.dirname, 'golden');

function stage() {
  const asked: unknown[] = [];
  const tree = {
    ...seedTree(),
    humans: [{ name: 'Ann', role: 'decider' as const }],
    warnings: [{ code: 'odd', text: 'Odd.' }] as never,
  };
  const teaparty = () => {
    const project = tree.projects[0]?.project;
    if (project === undefined || project instanceof TroupeError) throw new Error('there is no project');
    return project;
  };
  const config: RosterConfig = {
    tree: async (place) => {
      asked.push(place);
      return tree;
    },
    project: async (folder, place) => {
      asked.push([folder, place]);
      return teaparty();
    },
    workgroup: async (file, place) => {
      asked.push([file, place]);
      return teaparty().catalogue[0]?.workgroup as never;
    },
  };
  const { context } = world();
  return { asked, context: { ...context, rosterConfig: async () => config } };
}

test('rosters of everybody, in every form', async () => {
  const { context, asked } = stage();
  const lines: string[] = [];
  const tell = async (name: string, work: () => Promise<unknown>) => {
    const answer = await work().catch(({ code, message, hint }: TroupeError) => ({ code, message, hint }));
    lines.push(`${name}: ${JSON.stringify(answer, undefined, 1)}`);
  };
  for (const form of [{}, { ids: true }, { agents: true }, { full: true }, { ids: true, full: true }])
    await tell(`office ${JSON.stringify(form)}`, () => rosters.office.run(context, form));
  await tell('project', () => rosters.project.run(context, { project: 'tea', home: 'h' }));
  await tell('workgroup', () => rosters.workgroup.run(context, { file: 'w/coding.yaml', project: 'TeaParty' }));
  for (const agent of ['teaparty-lead', 'coding-lead', 'auditor', 'nobody'])
    await tell(`sub ${agent}`, () => rosters.subRoster.run(context, { agent }));
  for (const id of [
    'office-manager',
    'teaparty/lead',
    'teaparty/coding/lead',
    'teaparty/coding/developer',
    'teaparty/coding/develper',
    'zzz',
  ])
    await tell(`show ${id}`, () => rosters.show.run(context, { id }));
  await tell('show for', () => rosters.show.run(context, { id: 'teaparty/coding/lead', requestor: 'om', full: true }));
  await tell('show for', () => rosters.show.run(context, { id: 'teaparty/coding/lead', requestor: 'teaparty/lead' }));
  await tell('check', () => rosters.check.run(context, {}));
  expect(asked.slice(5, 7)).toEqual([
    ['/project/tea', { home: '/project/h', from: '/project/tea' }],
    ['/project/w/coding.yaml', { from: '/project/w' }],
  ]);
  expect(asked[0]).toEqual({ from: '/project' });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, 'rosters.txt'));
});

test('those of a team stand in its roster: active, and no observers', async () => {
  const { context } = stage();
  const team = crewWith({ Vasquez: { status: 'paused' } }, { mesh: true });
  expect(await rosterTeam(context, team)).toEqual({
    ...{ name: 'crew', leader: 'ripley', mesh: true },
    members: ['Ripley', 'Hicks'].map((name) => ({ slug: name.toLowerCase(), name, roleTitle: '', charter: undefined })),
  });
  const members = crewWith({}, {}).members.filter(({ position }) => position !== 'leader');
  expect(await rosterTeam(context, { ...team, members })).toMatchObject({ leader: '' });
  const squad = {
    readTeam: async () => ({ members: [{ slug: 'hicks', roleTitle: 'Corporal' }] }),
    charter: async (name: string) => `charter of ${name}`,
  };
  const cast = await rosterTeam({ ...context, squad: async () => squad as never }, { ...team, cast: true });
  expect(cast.members).toEqual([
    { slug: 'ripley', name: 'Ripley', roleTitle: '', charter: 'charter of Ripley' },
    { slug: 'hicks', name: 'Hicks', roleTitle: 'Corporal', charter: 'charter of Hicks' },
  ]);
});

test('a member of a team is found by name; whoever is not there is told who was meant', async () => {
  const { context } = stage();
  const teams = await context.teams();
  const crew = crewWith({}, { mesh: true });
  const of = {
    ...context,
    teams: async () =>
      ({ ...teams, labels: async () => [crew], getTeam: async () => crew, teamsCalled: async () => [crew] }) as never,
  };
  const show = (member?: string) =>
    rosters.team.run(of, { team: crew.id, ...(member === undefined ? {} : { member }) });
  const owners = await Promise.all([show(), show('Hicks'), show('HICKS')]);
  expect(owners.map(({ owner }) => owner)).toEqual(
    owners.map(({ owner }, at) => (at === 0 ? owner : owners[1]?.owner)),
  );
  expect(Object.keys(owners[1]?.roster ?? {}).length).toBeGreaterThan(0);
  expect((await show('newt')).roster, 'an observer writes to nobody but the leader').not.toHaveProperty('vasquez');
  await expect(show('hiks')).rejects.toMatchObject({ code: 'agent_unknown', hint: 'Did you mean hicks?' });
  await expect(show('zzzzzz')).rejects.toMatchObject({ hint: expect.stringContaining('troupe team show') });
});
