import { TEAMS_VIEW, type TeamPlan, type TeamsView } from '#core/teams/changes.js';
import type { TeamMember } from '#core/teams/team.js';
import { TroupeError } from '#kernel/errors.js';
import type { Queried } from '#kernel/query.js';
import { answered } from '../../answered.js';
import { CREW, type SomeAnswers } from './crew.js';

/** No messages and no plan yet; the crew is the only team. */
export const QUIET: SomeAnswers = {
  labels: () => [CREW],
  team: (id) => (id === CREW.id ? CREW : undefined),
  session: () => undefined,
  strata: () => [],
  lastNumber: () => 0,
  message: () => undefined,
  threadLength: () => 0,
  wakeUp: () => undefined,
  wakeUpsOf: () => 0,
  wakeUpsBy: () => 0,
  latestTurn: () => undefined,
};

/** A member on one line. */
function memberWord({ id, name, slug, position, status, agent, person, joinedAt, leftAt }: TeamMember): string {
  return [name, id, slug, position, status, agent ?? '-', person ?? '-', joinedAt, leftAt ?? '-'].join(' ');
}

/** A value on few lines: one per element of a list, none for empty values; known values are not repeated. */
function linesOf(plan: object): string[] {
  const known: unknown[] = [CREW];
  const short = (key: string, value: unknown) => {
    if (key !== '' && known.includes(value)) return value === CREW ? 'the crew' : 'as above';
    return key === 'members' ? (value as readonly TeamMember[]).map(memberWord) : value;
  };
  return Object.entries(plan).flatMap(([name, value]) => {
    const lines = [value].flat().filter((one) => one !== undefined);
    const said = lines.map((one) => `  ${name} ${JSON.stringify(one, short)}`);
    known.push(...lines);
    return said;
  });
}

/** A refusal with all its fields. */
export function refusal(error: unknown): string[] {
  if (!(error instanceof TroupeError)) throw error;
  const { code, message, hint, details } = error;
  return [`  refused ${code}: ${message} | ${hint ?? ''} | ${JSON.stringify(details ?? null)}`];
}

/** Everything that a decision writes and returns, or its refusal. */
export function told(
  title: string,
  decide: (view: TeamsView) => Queried<TeamPlan<unknown>>,
  world: SomeAnswers = {},
): string {
  const said = () => {
    try {
      const { talk, ...plan } = answered(decide(TEAMS_VIEW), { ...QUIET, ...world });
      return linesOf({ ...talk, ...plan });
    } catch (error) {
      return refusal(error);
    }
  };
  return [title, ...said()].join('\n');
}
