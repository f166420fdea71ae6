import path from 'node:path';
import { expect, test } from 'vitest';
import { agentCreate, roleAdd, tradeoffAdd } from '#operations/agency/entities.js';
import { specOf } from '#operations/named.js';
import { confirm } from '#operations/squad/confirm.js';
import { manual } from '#operations/squad/proposals.js';
import { archive, disband } from '#operations/teams/ending.js';
import { team as roster } from '#operations/teams/rosters.js';
import { teamRow } from '#operations/teams/team-shapes.js';
import { add, create, events, list, remove, rename, show } from '#operations/teams/teams.js';
import { crewWith } from '../../core/teams/crew.js';
import { verifies } from '../../verifies.js';
import { Stage } from '../team/casting-stage.js';

const coded = (code: string) => expect.objectContaining({ code });

async function castStage(): Promise<Stage> {
  const stage = new Stage();
  await stage.call(manual, { archetypes: ['lead-architect', 'writer'], universe: 'The Matrix' });
  await stage.call(confirm);
  return stage;
}

test('a person creates a team, adds to it, hands over the lead and ends it; each says whether anything changed', async () => {
  const stage = new Stage();
  const { team } = await stage.call(create, { leader: 'Ripley' });
  expect(team).toMatchObject({ name_auto: true, leader: 'Ripley', status: 'active', cast: false, mesh: false });
  expect(team.name).toBe(`team-${team.id.slice(0, 8)}`);
  await expect(stage.call(create, { name: 'crew' })).rejects.toThrow(coded('leader_required'));
  expect(await stage.call(add, { team: team.id, name: 'Hicks' })).toMatchObject({ changed: true });
  expect(await stage.call(add, { team: team.name, name: 'hicks' })).toMatchObject({
    ...{ changed: false, member: { name: 'Hicks', position: 'member' } },
  });
  await stage.call(rename, { team: team.name, name: 'crew' });
  expect(await stage.call(show, { team: 'CREW' })).toMatchObject({ name: 'crew', name_auto: false });
  await stage.call(remove, { team: 'crew', name: 'Ripley', leader: 'Hicks' });
  expect((await stage.call(list)).teams).toMatchObject([{ name: 'crew', leader: 'Hicks', size: 1 }]);
  expect(await stage.call(show, { team: 'crew' })).toMatchObject({ ended_at: null, created_at: expect.any(String) });
  expect(await stage.call(archive, { team: 'crew' })).toMatchObject({
    ...{
      changed: true,
      team: { status: 'archived', ended_at: expect.any(String) },
      stopped: [],
      paused: [],
      withdrawn: [],
    },
  });
  expect(teamRow({ ...crewWith({}, {}), members: [] })).toMatchObject({ leader: null, members: [], ended_at: null });
  expect(await stage.call(archive, { team: 'crew' })).toMatchObject({ changed: false });
  await expect(stage.call(disband, { team: 'crew' })).rejects.toThrow(coded('team_transition'));
  await expect(stage.call(add, { team: 'crew', name: 'Vasquez' })).rejects.toThrow(coded('team_archived'));
  const answer = await stage.call(events, { team: 'crew' });
  expect(answer.events.map(({ kind, by }) => [kind, by])).toEqual(
    [
      ...['team-created', 'member-joined', 'member-joined', 'team-renamed', 'member-changed', 'member-left'],
      ...['team-archived'],
    ].map((kind) => [kind, 'ann']),
  );
  expect((await stage.call(events, { team: team.id, limit: 1 })).events).toMatchObject([{ kind: 'team-archived' }]);
});

verifies('team.member.add', 'a member is an agent of the agency or stands for a person', async () => {
  const stage = new Stage();
  await stage.call(create, { name: 'crew', leader: 'Ripley' });
  const role = await stage.call(roleAdd, {
    name: 'Medic',
    description: 'Keeps them well.\nAll of them.',
    outcome: 'Health',
  });
  const tradeoff = await stage.call(tradeoffAdd, { name: 'Careful', description: 'Slow is safe.' });
  const agent = await stage.call(agentCreate, {
    name: 'Bishop',
    executor: 'shell',
    role: role.id,
    tradeoff: tradeoff.id,
  });
  const { member } = await stage.call(add, { team: 'crew', name: 'Bishop', agent: 'Bishop' });
  expect(member).toMatchObject({ agent: agent.id, person: null });
  expect(
    (await stage.call(add, { team: 'crew', name: 'Newt', person: 'ann', position: 'observer' })).member,
  ).toMatchObject({ agent: null, person: 'ann', position: 'observer' });
  await expect(stage.call(add, { team: 'crew', name: 'x', agent: 'nobody' })).rejects.toThrow(coded('not_found'));
  const both = { team: 'crew', name: 'x', agent: agent.id, person: 'ann' };
  await expect(stage.call(add, both)).rejects.toThrow(coded('usage'));
  // What an agent does is what its leader is told of it; an observer stands in no roster.
  const { roster: entries } = await stage.call(roster, { team: 'crew' });
  expect(entries).toEqual({ bishop: { description: 'Keeps them well.' } });
});

test('the team that was cast is one among them, and changes where it was cast', async () => {
  const stage = await castStage();
  const cast = (await stage.call(list)).teams[0];
  expect(cast).toMatchObject({ cast: true, leader: 'Neo', status: 'active' });
  const word = cast?.name ?? '';
  expect(await stage.call(show, { team: word.toUpperCase() })).toMatchObject({ id: cast?.id, cast: true });
  expect(await stage.call(show)).toMatchObject({ universe: expect.any(String), leader: 'Neo' });
  const calls = [
    () => stage.call(add, { team: word, name: 'Hicks' }),
    () => stage.call(remove, { team: word, name: 'Neo' }),
    () => stage.call(rename, { team: word, name: 'x' }),
    () => stage.call(archive, { team: cast?.id }),
    () => stage.call(disband, { team: word }),
  ];
  for (const call of calls) await expect(call()).rejects.toThrow(coded('cast_team'));
  await expect(stage.call(create, { name: ` ${word}`, leader: 'Ripley' })).rejects.toThrow(coded('name_taken'));
  await stage.call(create, { name: 'crew', leader: 'Ripley' });
  await expect(stage.call(rename, { team: 'crew', name: word })).rejects.toThrow(coded('name_taken'));
  await expect(stage.call(show, { team: 'crw' })).rejects.toThrow(
    expect.objectContaining({ hint: 'Did you mean crew?' }),
  );
  // Also before anybody was cast.
  const empty = new Stage();
  const project = path.basename(empty.folder);
  await expect(empty.call(create, { name: project, leader: 'Ripley' })).rejects.toThrow(coded('name_taken'));
  expect((await stage.call(list)).teams.map(({ name, cast: isCast }) => [name, isCast])).toEqual([
    [word, true],
    ['crew', false],
  ]);
});

verifies('roster.team.member', 'whom a member of a kept team may write to follows from its mesh', async () => {
  const stage = new Stage();
  const keys = async (team: string, member?: string) =>
    Object.keys((await stage.call(roster, { team, ...(member === undefined ? {} : { member }) })).roster);
  for (const [name, mesh] of [
    ['star', false],
    ['net', true],
  ] as const) {
    await stage.call(create, { name, leader: 'Ripley', mesh });
    await stage.call(add, { team: name, name: 'Hicks' });
    await stage.call(add, { team: name, name: 'Vasquez' });
    await stage.call(add, { team: name, name: 'Newt', position: 'observer' });
  }
  expect(await keys('star')).toEqual(['hicks', 'vasquez']);
  expect(await keys('star', 'Hicks')).toEqual([]);
  expect(await keys('net', 'Hicks')).toEqual(['ripley', 'vasquez']);
  expect([await keys('net', 'Newt'), await keys('star', 'Newt')]).toEqual([[], []]);
  await expect(stage.call(roster, { team: 'nobody' })).rejects.toThrow(coded('not_found'));
});

test('only people change teams', () => {
  const acts = ['create', 'add', 'remove', 'rename', 'archive', 'disband'].map((act) => specOf(`team.${act}`));
  expect(acts.filter(({ kind, forRuns }) => kind !== 'write' || forRuns !== undefined)).toEqual([]);
});
