import { TEAMS_VIEW, type TeamQueries, type TeamsView } from '#core/teams/changes.js';
import type { MemberPosition, Team, TeamMember } from '#core/teams/team.js';
import type { Queried } from '#kernel/query.js';
import { answered } from '../../answered.js';

export const TEAM_ID = '0a1b2c3d-0000-5000-8000-000000000000';

export function crewMember(
  name: string,
  position: MemberPosition = 'member',
  more: Partial<TeamMember> = {},
): TeamMember {
  const slug = name.toLowerCase();
  return {
    ...{
      id: `m-${slug}`,
      name,
      slug,
      position,
      status: 'active',
      agent: null,
      person: null,
      joinedAt: 1,
      leftAt: null,
    },
    ...more,
  };
}

/** A crew led by Ripley, with Hicks and Vasquez as members and Newt as observer; Gorman has left. */
export const CREW: Team = {
  ...{ id: TEAM_ID, name: 'crew', nameAuto: false, description: '', status: 'active', mesh: false, cast: false },
  ...{ createdAt: 1, endedAt: null },
  members: [
    crewMember('Ripley', 'leader'),
    crewMember('Hicks'),
    crewMember('Vasquez'),
    crewMember('Newt', 'observer'),
    crewMember('Gorman', 'member', { status: 'removed', leftAt: 2 }),
  ],
};

/** The same crew with some members changed. */
export function crewWith(changes: Readonly<Record<string, Partial<TeamMember>>>, more: Partial<Team> = {}): Team {
  return { ...CREW, ...more, members: CREW.members.map((one) => ({ ...one, ...changes[one.name] })) };
}

/** Queries that a test answers; any other fails it. */
export type SomeAnswers = Partial<TeamQueries>;

/** Runs a decision about teams with the given answers to its queries. */
export function withAnswers<Of extends readonly unknown[], Result>(
  decide: (view: TeamsView, ...of: Of) => Queried<Result>,
): (answers: SomeAnswers, ...of: Of) => Result {
  return (answers, ...of) => answered(decide(TEAMS_VIEW, ...of), answers);
}
