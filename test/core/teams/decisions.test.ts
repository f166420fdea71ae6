import path from 'node:path';
import { describe, expect } from 'vitest';
import {
  addMember,
  createTeam,
  type EndStatus,
  endTeam,
  type NewTeam,
  type NewTeamMember,
  removeMember,
  renameTeam,
} from '#core/teams/changes.js';
import type { Team } from '#core/teams/team.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { verifies } from '../../verifies.js';
import { CREW, crewMember, crewWith } from './crew.js';
import { told } from './told.js';

const golden = (name: string) => path.join(import.meta.dirname, `golden/${name}.txt`);
const CALL = { by: 'human/ann', at: 50 };
const CAST: Team = { ...CREW, id: 'cast', name: 'Roster', cast: true };
const OVER: Team = { ...CREW, id: 'over', name: 'Old Crew', status: 'disbanded' };
const KEPT: Team = { ...CREW, id: 'kept', name: 'Kept', status: 'archived' };
const among = (...teams: readonly Team[]) => ({
  labels: () => teams,
  team: (id: string) => teams.find((team) => team.id === id),
});
const ALL = among(CREW, CAST, OVER, KEPT);

describe('teams and who is on them', () => {
  verifies('team.life.check', 'each team that may begin, and each refusal, in full', async () => {
    const wish: NewTeam = {
      ...{ id: 'ab12-cd34-ef56', name: ' Night Shift ', description: 'x', mesh: true },
      ...{ leader: ' Ripley', leaderId: 'l', reserved: 'project' },
    };
    const most = TEAM_LIMITS.teamNameCharacters;
    const cases: Readonly<Record<string, Partial<NewTeam>>> = {
      'with a name': {},
      'without one': { name: '  ' },
      'that is there': { id: CREW.id, leader: undefined },
      'without a leader': { leader: undefined },
      'with a blank leader': { leader: ' ' },
      'by the name of another': { name: 'CREW' },
      'by the name of one that ended': { name: 'old crew' },
      'by the name of the project': { name: 'Project' },
      'with a name as long as can be': { name: 'n'.repeat(most) },
      'with a longer one': { name: 'n'.repeat(most + 1) },
      'with nothing but signs': { name: '///' },
      'with a sign that is not seen': { name: 'a\u200bb' },
      'with a leader of signs': { leader: '::' },
      'with a description with half a character': { description: 'a\ud800' },
      'with a description with a NUL': { description: 'a\0b' },
    };
    const all = Object.entries(cases).map(([title, more]) =>
      told(title, (view) => createTeam(view, { ...wish, ...more }, CALL), ALL),
    );
    await expect(`${all.join('\n')}\n`).toMatchFileSnapshot(golden('created'));
    const described = (characters: number) =>
      told('', (view) => createTeam(view, { ...wish, description: 'd'.repeat(characters) }, CALL), ALL);
    expect(described(TEAM_LIMITS.teamTextCharacters)).not.toContain('refused');
    expect(described(TEAM_LIMITS.teamTextCharacters + 1)).toContain('refused bad_input: A description must be text');
  });

  verifies('team.member.add', 'each member who may join, and each refusal, in full', async () => {
    const wish: NewTeamMember = { id: 'm-new', name: 'Bishop', position: 'member', agent: null, person: null };
    const joined = (title: string, more: Partial<NewTeamMember>, word = 'crew', world = ALL) =>
      told(title, (view) => addMember(view, word, { ...wish, ...more }, CALL), world);
    const many = (members: number) => {
      const former = Array.from({ length: members }, (_, index) =>
        crewMember(`one-${index}`, 'observer', { joinedAt: 1 }),
      );
      return among({ ...CREW, members: former });
    };
    const all = [
      joined('a member', {}),
      joined('an agent of a person', { agent: 'h1', person: ' ann ' }),
      joined('a person without a name', { person: ' ' }),
      joined('an observer', { position: 'observer', name: ' The Bishop ' }),
      joined('who is there already', { name: 'HICKS', position: 'leader' }),
      joined('who was there before', { name: 'Gorman' }),
      joined('a second leader', { position: 'leader' }),
      joined(
        'a leader, where nobody leads',
        { position: 'leader' },
        'crew',
        among(crewWith({ Ripley: { status: 'removed' } })),
      ),
      joined('without a name', { name: ' ' }),
      joined('of a team that was cast', {}, 'roster'),
      joined('of a team that is gone', {}, 'Old crew'),
      joined('of a team that is kept', {}, 'kept'),
      joined('of a team with nearly that name', {}, 'crow'),
      joined('of a team with no such name', {}, 'something else'),
      joined('the first too many', {}, 'crew', many(TEAM_LIMITS.teamMembers)),
    ];
    await expect(`${all.join('\n')}\n`).toMatchFileSnapshot(golden('joined'));
    expect(joined('', {}, 'crew', many(TEAM_LIMITS.teamMembers - 1))).not.toContain('refused');
  });

  verifies('team.member.add', 'who leaves, who follows, and each refusal, in full', async () => {
    const left = (title: string, name: string, next?: string, world = ALL, word = 'crew') =>
      told(title, (view) => removeMember(view, word, { name, next }, CALL), world);
    const formerLeader = among(crewWith({ Gorman: { position: 'leader' } }));
    const leaderless = among(crewWith({ Ripley: { position: 'member' } }));
    const all = [
      left('a member', 'Hicks'),
      left('by its id', 'm-hicks'),
      left('an observer', 'newt'),
      left('a member, and another leads from now on', 'Hicks', 'Vasquez'),
      left('a member, and the leader stays', 'Hicks', 'Ripley'),
      left('the leader', 'Ripley', 'Hicks'),
      left('the leader, where a former one has left', 'Ripley', 'Hicks', formerLeader),
      left('a member, where nobody leads', 'Hicks', undefined, leaderless),
      left('the leader alone', 'Ripley'),
      left('the leader, followed by an observer', 'Ripley', 'Newt'),
      left('the leader, followed by itself', 'Ripley', 'ripley'),
      left('a member, followed by itself', 'Hicks', 'hicks'),
      left('the leader, followed by nobody known', 'Ripley', 'Bishop'),
      left('who has left', 'Gorman'),
      left('who was never there', 'Bishop\n'),
      left('of a team that was cast', 'Hicks', undefined, ALL, 'Roster'),
      left('of a team that is gone', 'Hicks', undefined, ALL, 'Old Crew'),
    ];
    await expect(`${all.join('\n')}\n`).toMatchFileSnapshot(golden('left'));
  });

  verifies('team.name.auto', 'each new name and each end of a team, and each refusal, in full', async () => {
    const PLACED: Team = { ...CREW, id: 'placed', name: 'placed', nameAuto: true };
    const world = among(CREW, CAST, OVER, KEPT, PLACED);
    const renamed = (title: string, name: string, word = 'crew') =>
      told(`name: ${title}`, (view) => renameTeam(view, word, { name, reserved: 'project' }, CALL), world);
    const ended = (title: string, status: EndStatus, word: string, hasGraph = false) =>
      told(`end: ${title}`, (view) => endTeam(view, word, { status, hasGraph }, CALL), world);
    const all = [
      renamed('another', ' Night Shift '),
      renamed('the same in capitals', 'CREW'),
      renamed('the same', 'crew'),
      renamed('the same, and a person has chosen it now', 'placed', 'placed'),
      renamed('that of another team', 'Placed'),
      renamed('that of the project', 'PROJECT'),
      renamed('that of one that ended', 'Old Crew'),
      renamed('none', ' '),
      renamed('of a team that was cast', 'x', 'Roster'),
      renamed('of a team that is gone', 'x', 'Old Crew'),
      ended('disbanded', 'disbanded', 'crew'),
      ended('archived', 'archived', 'crew'),
      ended('disbanded, and its work waits', 'disbanded', 'crew', true),
      ended('archived, and its work waits', 'archived', 'crew', true),
      ended('disbanded again', 'disbanded', 'Old Crew', true),
      ended('archived after it was disbanded', 'archived', 'Old Crew', true),
      ended('disbanded after it was archived', 'disbanded', 'Kept'),
      ended('of one that was cast', 'disbanded', 'Roster'),
      ended('of none', 'disbanded', 'nobody'),
    ];
    await expect(`${all.join('\n')}\n`).toMatchFileSnapshot(golden('renamed-and-ended'));
  });
});
