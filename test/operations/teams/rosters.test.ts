import path from 'node:path';
import { expect, test } from 'vitest';
import type { RegistryRecord } from '#core/squad/registry.js';
import { readSquadState, type SquadState } from '#core/squad/squad-state.js';
import { TroupeError } from '#kernel/errors.js';
import { agentCreate, roleAdd, tradeoffAdd } from '#operations/agency/entities.js';
import { loadDirectory } from '#operations/mail/load-directory.js';
import * as rosters from '#operations/teams/rosters.js';
import { rosterTeam } from '#operations/teams/team-roster.js';
import { add, create, remove } from '#operations/teams/teams.js';
import type { RosterConfig } from '#ports/roster-config.js';
import { seedTree } from '../../core/mail/tree.js';
import { crewWith } from '../../core/teams/crew.js';
import { world } from '../../e2e/world.js';
import { Stage } from '../team/casting-stage.js';

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
  await rosters.office.run(context, { home: 'h' });
  expect(asked.at(-1)).toEqual({ home: '/project/h', from: '/project' });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, 'rosters.txt'));
});

test('those of a team stand in its roster: active, and no observers', async () => {
  const { context } = stage();
  const team = crewWith({ Vasquez: { status: 'paused' } }, { mesh: true });
  const noSquad = () => expect.unreachable('only a cast team has files');
  expect(await rosterTeam(context, team, noSquad)).toEqual({
    ...{ name: 'crew', leader: 'ripley', mesh: true },
    members: ['Ripley', 'Hicks'].map((name) => ({ slug: name.toLowerCase(), name, roleTitle: '', charter: undefined })),
  });
  const members = crewWith({}, {}).members.filter(({ position }) => position !== 'leader');
  expect(await rosterTeam(context, { ...team, members }, noSquad)).toMatchObject({ leader: '' });
  const cast = await rosterTeam(context, { ...team, cast: true }, async () => castOf('Ripley', 'hicks'));
  expect(cast.members).toEqual([
    { slug: 'ripley', name: 'Ripley', roleTitle: 'Corporal', charter: 'charter of Ripley' },
    { slug: 'hicks', name: 'Hicks', roleTitle: 'Corporal', charter: 'charter of hicks' },
  ]);
  const unknown = await rosterTeam(context, { ...team, cast: true }, async () => castOf('Ripley'));
  expect(unknown.members[1]).toEqual({ slug: 'hicks', name: 'Hicks', roleTitle: '', charter: undefined });
});

test('who can be written to is told by one look at the files of the cast team', async () => {
  const { context } = stage();
  let looks = 0;
  const squad = async () => {
    looks++;
    return castOf('Ripley', 'hicks');
  };
  const read = { ...context, rosterConfig: noConfig, squad: async () => ({ read: squad }) as never };
  const directory = await loadDirectory(read);
  expect([...directory.values()].map(({ name }) => name).sort()).toEqual(['Ripley', 'hicks']);
  expect(looks).toBe(1);
});

const noConfig = async () => ({ tree: () => Promise.reject(new TroupeError('config_not_found')) }) as never;

/** What the files of a team say whose members have folders of these names. */
function castOf(...folders: readonly string[]): SquadState {
  const texts = new Map(folders.map((folder) => [`.squad/agents/${folder}/charter.md`, `charter of ${folder}`]));
  const state = readSquadState(texts);
  const records = folders.map((folder) => {
    const slug = folder.toLowerCase();
    const own = { slug, memberId: slug, name: folder, status: 'Active' as const, roleTitle: 'Corporal' };
    return { ...own, universe: 'Aliens', createdAt: '2026-03-01T00:00:00.000Z' } as RegistryRecord;
  });
  return { ...state, registry: { ...state.registry, records } };
}

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
  const named = crewWith({}, { mesh: true });
  const leaderless = { ...named, members: named.members.filter(({ position }) => position !== 'leader') };
  const none = {
    ...of,
    teams: async () => ({ ...teams, labels: async () => [leaderless], getTeam: async () => leaderless }),
  };
  await expect(rosters.team.run(none as never, { team: named.id })).rejects.toMatchObject({
    ...{ code: 'agent_unknown', message: ' is not a member of crew.' },
  });
});

test('of an agent the role says what it does, of a person nothing is said', async () => {
  const stage = new Stage();
  const role = await stage.call(roleAdd, { name: 'Medic', description: 'Keeps them well.', outcome: 'Health' });
  await stage.call(create, { name: 'crew', leader: 'Ripley' });
  for (const name of ['Bishop', 'Ash']) {
    const tradeoff = await stage.call(tradeoffAdd, { name: `As ${name}`, description: `Weighs as ${name}.` });
    await stage.call(agentCreate, { name, executor: 'shell', role: role.id, tradeoff: tradeoff.id });
    await stage.call(add, { team: 'crew', name, agent: name });
  }
  const writesTo = async () => (await stage.call(rosters.team, { team: 'crew', full: true })).roster;
  const well = expect.objectContaining({ description: 'Keeps them well.' });
  expect(await writesTo()).toEqual({ bishop: well, ash: well });
  await stage.call(remove, { team: 'crew', name: 'Ripley', leader: 'Bishop' });
  expect(await writesTo(), 'agents alone').toEqual({ ash: well });
  await stage.call(add, { team: 'crew', name: 'Newt', person: 'ann' });
  expect(await writesTo()).toEqual({
    ash: well,
    newt: expect.not.objectContaining({ description: 'Keeps them well.' }),
  });
});

test('a member is found by slug or name, and of two ways to write it one is enough', async () => {
  const { context } = stage();
  const crew = crewWith({ Hicks: { slug: 'corporal' } }, { mesh: false });
  const of = { ...context, teams: async () => ({ labels: async () => [crew], getTeam: async () => crew }) as never };
  const show = async (member: string) => (await rosters.team.run(of, { team: crew.id, member })).owner;
  expect(await show('Corporal')).toBe(await show('hicks'));
  const asMember = async (member: string, mesh: boolean) => {
    const team = crewWith({}, { mesh });
    const one = { ...context, teams: async () => ({ labels: async () => [team], getTeam: async () => team }) as never };
    return Object.keys((await rosters.team.run(one, { team: team.id, member })).roster);
  };
  expect(await asMember('hicks', true)).not.toEqual(await asMember('hicks', false));
  expect(await asMember('newt', true), 'an observer').toEqual(await asMember('newt', false));
});

test('what is odd in the configuration is told with what is odd in a roster of it', async () => {
  const { context } = stage();
  const seed = seedTree();
  const [first] = seed.projects;
  const odd = { ...seed, projects: [{ ...first, project: new TroupeError('bad_config', { what: 'Bad.' }) }] };
  const office = async (tree: object) =>
    (await rosters.office.run({ ...context, rosterConfig: async () => ({ tree: async () => tree }) as never }, {}))
      .warnings;
  const warning = { code: 'odd', text: 'Odd.' };
  const derived = await office({ ...odd, warnings: [] });
  expect(derived).not.toEqual([]);
  expect(await office({ ...odd, warnings: [warning] })).toEqual([warning, ...derived]);
});

test('one form at a time is asked for, and warnings alone are nothing wrong', async () => {
  const { context } = stage();
  for (const two of [
    { ids: true, agents: true },
    { ids: true, full: true },
    { agents: true, full: true },
  ])
    await expect(rosters.office.run(context, two)).rejects.toMatchObject({ code: 'bad_input' });
  for (const form of ['ids', 'agents', 'full'] as const)
    expect((await rosters.office.run(context, { [form]: true })).form).toBe(form);
  const tree = { ...seedTree(), warnings: [{ code: 'odd', text: 'Odd.' }] as never };
  const checked = async (one: object) =>
    await rosters.check.run({ ...context, rosterConfig: async () => ({ tree: async () => one }) as never }, {});
  const { ok, problems } = await checked(tree);
  expect([ok, new Set(problems.map(({ severity }) => severity))]).toEqual([
    problems.every(({ severity }) => severity === 'warning'),
    new Set(problems.map(({ severity }) => severity)),
  ]);
  const broken = {
    ...tree,
    projects: [...tree.projects, { ...tree.projects[0], project: new TroupeError('bad_config') }],
  };
  const both = await checked(broken);
  expect(both.ok).toBe(false);
  expect(new Set(both.problems.map(({ severity }) => severity))).toEqual(new Set(['warning', 'error']));
});
