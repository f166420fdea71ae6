import { describe, expect, test } from 'vitest';
import * as changes from '#core/teams/changes.js';
import { labelNamed, leaderOf, type MemberPosition, type Team } from '#core/teams/team.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { verifies } from '../../verifies.js';
import { type SomeAnswers, withAnswers } from './crew.js';

const CALL = { by: 'ann', at: 2_000 };
const viewOf = (...teams: readonly Team[]): SomeAnswers => ({
  labels: () => teams,
  team: (id) => teams.find((team) => team.id === id),
});
const [createTeam, addMember] = [withAnswers(changes.createTeam), withAnswers(changes.addMember)];
const [removeMember, renameTeam] = [withAnswers(changes.removeMember), withAnswers(changes.renameTeam)];
const endTeam = withAnswers(changes.endTeam);
const { EMPTY_TEAM_PLAN: NOTHING } = changes;
const wish = { id: '0a1b2c3d-0000-5000-8000-000000000000', leaderId: 'l', description: '', mesh: false };
const created = (name = 'crew', more: { leader?: string | undefined; reserved?: string } = {}, view = viewOf()) =>
  createTeam(view, { ...wish, name, leader: 'Ripley', reserved: 'project', ...more }, CALL);
const teamAfter = <Result extends changes.TeamResult>({ result }: changes.TeamPlan<Result>) => result.team;
const added = (team: Team, name: string, position: MemberPosition = 'member', id = `m-${name}`) =>
  addMember(viewOf(team), team.id, { id, name, position, agent: null, person: null }, CALL);
const CREW = teamAfter(added(teamAfter(created()), 'Hicks'));
const coded = (code: string) => expect.objectContaining({ code });
const removed = (name: string, next?: string, team = CREW) => removeMember(viewOf(team), 'crew', { name, next }, CALL);

describe('who is on a team', () => {
  verifies(
    'team.member.add',
    'the same slug is the same member, there is one leader, and an unknown team is said',
    () => {
      expect(added(CREW, '  hICKS ')).toEqual({
        ...NOTHING,
        result: { team: CREW, changed: false, member: CREW.members[1] },
      });
      expect(() => added(CREW, 'Bishop', 'leader')).toThrow(coded('leader_exists'));
      expect(() =>
        addMember(viewOf(), 'crew', { id: 'm', name: 'x', position: 'member', agent: null, person: null }, CALL),
      ).toThrow(coded('not_found'));
      const watched = teamAfter(added(CREW, 'Newt', 'observer'));
      expect(watched.members.map(({ name, position, joinedAt }) => [name, position, joinedAt])).toEqual([
        ['Ripley', 'leader', 2_000],
        ['Hicks', 'member', 2_000],
        ['Newt', 'observer', 2_000],
      ]);
    },
  );

  verifies('team.member.add', 'the leader goes only when a member takes the lead', () => {
    const watched = teamAfter(added(CREW, 'Newt', 'observer'));
    for (const [name, next] of [['Ripley'], ['Ripley', 'Ripley'], ['Ripley', 'Newt'], ['Hicks', 'Newt']] as const)
      expect(() => removed(name, next, watched), `${name} ${next}`).toThrow(coded('leader_required'));
    expect(() => removed('Ripley', 'Vasquez')).toThrow(coded('not_found'));
    expect(() => removed('Vasquez')).toThrow(coded('not_found'));
    const { result, events } = removed('Ripley', 'hicks');
    expect(leaderOf(result.team)?.name).toBe('Hicks');
    expect(result.member).toMatchObject({ name: 'Ripley', status: 'removed', leftAt: 2_000 });
    expect(events.map(({ kind, payload }) => [kind, payload])).toEqual([
      ['member-left', { member_id: 'l', name: 'Ripley' }],
      ['member-changed', { member_id: 'm-Hicks', name: 'Hicks', changes: { position: 'leader' } }],
    ]);
  });

  test('a member who goes may hand the lead to another, too', () => {
    const three = teamAfter(added(CREW, 'Vasquez'));
    const team = teamAfter(removed('Hicks', 'Vasquez', three));
    expect(team.members.map(({ name, position, status }) => [name, position, status])).toEqual([
      ['Ripley', 'member', 'active'],
      ['Hicks', 'member', 'removed'],
      ['Vasquez', 'leader', 'active'],
    ]);
  });

  test('names keep how they were typed, and nothing invisible; a team remembers so many', () => {
    for (const name of ['', ' ', 'a/b', 'a:b', 'a\u0000', 'a\u202eb', 'x'.repeat(TEAM_LIMITS.teamNameCharacters + 1)]) {
      expect(() => added(CREW, name), name).toThrow(coded('bad_input'));
      expect(() => renameTeam(viewOf(CREW), 'crew', { name, reserved: 'project' }, CALL), name).toThrow(
        coded('bad_input'),
      );
    }
    expect(() => created('crew', { leader: 'a/b' })).toThrow(coded('bad_input'));
    const many = Array.from({ length: TEAM_LIMITS.teamMembers }, (_, index) => ({
      ...{ id: `${index}`, name: `n${index}`, slug: `n${index}`, position: 'member', status: 'removed' },
      ...{ agent: null, person: null, joinedAt: 1, leftAt: 2 },
    })) satisfies Team['members'][number][] | readonly object[];
    expect(() => added({ ...CREW, members: many as Team['members'] }, 'Vasquez')).toThrow(coded('bad_input'));
  });
});

describe('the life of a team', () => {
  test('it begins with a leader and two events; the same request gets the same team', () => {
    const plan = created();
    expect(plan.events.map(({ kind, by, at }) => [kind, by, at])).toEqual([
      ['team-created', 'ann', 2_000],
      ['member-joined', 'ann', 2_000],
    ]);
    expect(plan.result).toMatchObject({ changed: true, team: { status: 'active', nameAuto: false } });
    expect(created('other', {}, viewOf(CREW))).toEqual({
      ...{ ...NOTHING, result: { team: CREW, changed: false } },
    });
    for (const leader of [undefined, ' ']) expect(() => created('crew', { leader })).toThrow(coded('leader_required'));
  });

  test('a blank name is a placeholder, until a person gives another', () => {
    const team = teamAfter(created(' '));
    expect([team.name, team.nameAuto]).toEqual(['team-0a1b2c3d', true]);
    const rename = (name: string) => renameTeam(viewOf(team), team.id, { name, reserved: 'project' }, CALL);
    expect(teamAfter(rename('Watch'))).toMatchObject({ name: 'Watch', nameAuto: false });
    // Also when they like the placeholder: then it is none any more.
    expect(rename(team.name).result).toMatchObject({ changed: true, team: { nameAuto: false } });
  });

  test('no two teams at work share a name, however it is typed; one that ended gives its name back', () => {
    const others = viewOf({ ...CREW, id: 'other', name: 'Night  Watch' });
    expect(() => created('night watch', {}, others)).toThrow(coded('name_taken'));
    expect(() => created('Zion', { reserved: 'zion' })).toThrow(coded('name_taken'));
    const both = viewOf({ ...CREW, id: 'other', name: 'Watch' }, CREW);
    expect(() => renameTeam(both, 'crew', { name: 'watch', reserved: 'project' }, CALL)).toThrow(coded('name_taken'));
    expect(renameTeam(both, 'crew', { name: 'CREW', reserved: 'project' }, CALL).result.changed).toBe(true);
    const ended = { ...CREW, id: 'ended', status: 'archived' as const };
    expect(created('crew', {}, viewOf(ended)).result.changed).toBe(true);
    expect(labelNamed([ended, CREW], 'CREW')).toBe(CREW);
    expect(labelNamed([ended, { ...ended, id: 'later', createdAt: 9_000 }], 'crew')?.id).toBe('later');
  });

  test('disbanded and archived are final; the same again changes nothing', () => {
    const disbanded = teamAfter(endTeam(viewOf(CREW), 'crew', { status: 'disbanded', hasGraph: false }, CALL));
    expect(disbanded).toMatchObject({ status: 'disbanded', endedAt: 2_000 });
    expect(disbanded.members.every(({ status, leftAt }) => status === 'removed' && leftAt === 2_000)).toBe(true);
    const gone = {
      ...CREW,
      members: CREW.members.map((one, index) =>
        index === 0 ? one : { ...one, status: 'removed' as const, leftAt: 1_500 },
      ),
    };
    const later = teamAfter(endTeam(viewOf(gone), 'crew', { status: 'disbanded', hasGraph: false }, CALL));
    expect(later.members.map(({ leftAt }) => leftAt)).toEqual([2_000, 1_500]); // who left before, left then
    const archived = teamAfter(endTeam(viewOf(CREW), 'crew', { status: 'archived', hasGraph: false }, CALL));
    expect(archived.members).toEqual(CREW.members);
    const end = (team: Team, status: 'disbanded' | 'archived') =>
      endTeam(viewOf(team), 'crew', { status, hasGraph: false }, CALL);
    expect(() => end(disbanded, 'archived')).toThrow(coded('team_transition'));
    expect(() => end(archived, 'disbanded')).toThrow(coded('team_transition'));
    expect(end(archived, 'archived')).toMatchObject({ events: [], result: { changed: false } });
  });

  test('a team that was cast is not changed here', () => {
    const cast = { ...CREW, cast: true };
    const calls = [
      () => added(cast, 'Vasquez'),
      () => removed('Hicks', undefined, cast),
      () => renameTeam(viewOf(cast), 'crew', { name: 'x', reserved: 'project' }, CALL),
      () => endTeam(viewOf(cast), 'crew', { status: 'disbanded', hasGraph: false }, CALL),
    ];
    for (const call of calls) expect(call).toThrow(coded('cast_team'));
  });
});
