/**
 * Stored teams, their conversation, and the plan a leader makes before members act; rosters, which define who may write
 * to whom.
 * @packageDocumentation
 */

import * as z from 'zod/mini';
import { personReader } from '#core/mail/message.js';
import {
  addMember,
  createTeam,
  type MemberResult,
  refuseCast,
  removeMember,
  renameTeam,
  type TeamCall,
  type TeamPlan,
  type TeamResult,
  type TeamsView,
} from '#core/teams/changes.js';
import { labelNamed, POSITIONS, teamSummary } from '#core/teams/team.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { Queried } from '#kernel/query.js';
import { uuidOf } from '#kernel/uuid.js';
import type { TeamContext, WorkContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { agentNamed } from '#operations/load-agency.js';
import { type Context, operation } from '#operations/operation.js';
import { TEAM_NAME } from '#operations/options.js';
import { requestOf } from '#operations/request-of.js';
import { MEMBERS_PATH, PROJECT_PATH } from '#operations/resource-paths.js';
import { natural, positive } from '#operations/row-numbers.js';
import { flag, text } from '#operations/shapes.js';
import { scoredMemberShape, scoredMembers } from '#operations/squad/scored-members.js';
import { castTeam, teamOrCurrent } from './team-lookup.js';
import {
  changedMemberShape,
  changedTeamShape,
  eventRow,
  eventShape,
  memberRow,
  storedTeamShape,
  summaryRow,
  teamRow,
  teamSummaryShape,
} from './team-shapes.js';

/** Creates a team with its leader. Idempotent per request id. */
export const create = operation({
  name: 'team.create',
  command: 'team create',
  group: 'Team',
  kind: 'write',
  graphless: true,
  summary: 'Create a team with its leader; an empty name generates one',
  examples: [
    'troupe team create airlock --leader Ripley',
    'troupe team create "" --leader Bishop --mesh --description "Keeps watch"',
  ],
  input: z.strictObject({
    name: argument('Its name', text),
    leader: option('Its leader', text, { value: 'NAME' }),
    description: option('Its purpose', text, { value: 'TEXT' }),
    mesh: option('Let members write to one another', flag),
  }),
  output: changedTeamShape,
  async run(context: TeamContext, { name = '', leader, description = '', mesh = false }) {
    // A slug contains no blank, so this seed cannot collide with the id of a member of the cast team.
    const seed = context.request.requestId ?? context.freshId();
    const ids = { id: uuidOf(`team ${seed}`), leaderId: uuidOf(`leader ${seed}`) };
    const { reserved } = await castTeam(context);
    const wish = { ...ids, name, leader, description, mesh, reserved };
    return teamAnswer(await changeTeams(context, (view, call) => createTeam(view, wish, call)));
  },
});

export const list = operation({
  name: 'team.list',
  command: 'team list',
  group: 'Team',
  kind: 'read',
  graphless: true,
  summary: 'List all teams, including ended ones',
  examples: ['troupe team list', 'troupe team list --json'],
  input: z.strictObject({}),
  output: z.object({
    teams: z.array(teamSummaryShape),
    more: z.boolean(),
    /** Id of this person's current team. */
    current: z.nullable(z.string()),
    /** Id of the active team with the latest message. */
    latest: z.nullable(z.string()),
  }),
  async run(context: TeamContext) {
    const { cast } = await castTeam(context);
    const most = TEAM_LIMITS.teamRowsListed;
    const store = await context.teams();
    const kept = await store.listTeams(most + 1);
    const stored = kept.filter((team) => !team.cast);
    const teams = [...(cast ? [teamSummary(cast)] : []), ...stored];
    const current = (await store.inUse(personReader(context.caller.name))) ?? null;
    return {
      teams: teams.slice(0, most).map(summaryRow),
      more: teams.length > most,
      current,
      latest: kept[0]?.id ?? null,
    };
  },
});

/** Returns the cast team of the project, or the stored team that is named. */
export const show = operation({
  name: 'team.show',
  command: 'team show',
  group: 'Team',
  kind: 'read',
  graphless: true,
  summary: 'Show the cast team of this project, or another team',
  examples: ['troupe team show', 'troupe team show airlock'],
  resource: [
    { method: 'GET', path: `${PROJECT_PATH}/team`, summary: 'The team as it was cast.' },
    { method: 'GET', path: MEMBERS_PATH, summary: 'Its members.', answer: { pick: ['members'] } },
  ],
  input: z.strictObject({ team: argument('Its name or id', text) }),
  output: z.union([
    z.object({
      project: z.string(),
      universe: z.string(),
      leader: z.string(),
      members: z.readonly(z.array(scoredMemberShape)),
    }),
    storedTeamShape,
  ]),
  async run(context: WorkContext, { team }) {
    if (team !== undefined) return teamRow(await teamOrCurrent(context, team));
    const cast = await (await context.squad()).readTeam();
    if (!cast) throw new TroupeError('no_team');
    return { ...cast, members: await scoredMembers(context, cast.members, cast.members) };
  },
});

export const rename = operation({
  name: 'team.rename',
  command: 'team rename',
  group: 'Team',
  kind: 'write',
  graphless: true,
  summary: 'Rename a team',
  examples: ['troupe team rename airlock "night watch"', 'troupe team rename "night watch" airlock'],
  input: z.strictObject({ team: TEAM_NAME, name: argument('The new name', z.string()) }),
  output: changedTeamShape,
  async run(context: TeamContext, { team, name }) {
    const wish = { name, reserved: await refuseCastTeam(context, team) };
    return teamAnswer(await changeTeams(context, (view, call) => renameTeam(view, team, wish, call)));
  },
});

export const add = operation({
  name: 'team.add',
  command: 'team add',
  group: 'Team',
  kind: 'write',
  graphless: true,
  summary: 'Add a member to a team',
  examples: ['troupe team add airlock Hicks', 'troupe team add airlock Newt --position observer --person ann'],
  input: z.strictObject({
    team: TEAM_NAME,
    name: argument('The name of the member', z.string()),
    position: option('leader, member or observer (default: member)', z.optional(z.enum(POSITIONS)), { value: 'WORD' }),
    agent: option('The agent it is, by id or name', text, { value: 'ID' }),
    person: option('The person it stands for', text, { value: 'NAME' }),
  }),
  output: changedMemberShape,
  async run(context: WorkContext, { team, name, position = 'member', agent, person = null }) {
    if (agent !== undefined && person !== null)
      throw new TroupeError('usage', { what: 'A member is an agent or a person: use --agent or --person, not both.' });
    await refuseCastTeam(context, team);
    const agentId = agent === undefined ? null : await agentNamed(context, agent);
    const wish = { id: uuidOf(`member ${context.freshId()}`), name, position, agent: agentId, person };
    return memberAnswer(await changeTeams(context, (view, call) => addMember(view, team, wish, call)));
  },
});

export const remove = operation({
  name: 'team.remove',
  command: 'team remove',
  group: 'Team',
  kind: 'write',
  graphless: true,
  summary: 'Remove a member from a team; a leader needs a successor',
  examples: ['troupe team remove airlock Newt', 'troupe team remove airlock Ripley --leader Hicks'],
  input: z.strictObject({
    team: TEAM_NAME,
    name: argument('The name of the member', z.string()),
    leader: option('The new leader', text, { value: 'NEXT' }),
  }),
  output: changedMemberShape,
  async run(context: TeamContext, { team, name, leader }) {
    await refuseCastTeam(context, team);
    const wish = { name, next: leader };
    return memberAnswer(await changeTeams(context, (view, call) => removeMember(view, team, wish, call)));
  },
});

export const events = operation({
  name: 'team.events',
  command: 'team events',
  group: 'Team',
  kind: 'read',
  graphless: true,
  instead: 'team show --events',
  summary: 'Show the events of a team, latest last',
  examples: ['troupe team show airlock --events', 'troupe team show airlock --events --limit 5 --json'],
  input: z.strictObject({
    team: TEAM_NAME,
    after: option('Only events after this one', natural, { value: 'SEQ' }),
    limit: option('At most N', positive, { value: 'N' }),
  }),
  output: z.object({ team_id: z.string(), events: z.array(eventShape) }),
  async run(context: TeamContext, { team: word, after, limit = TEAM_LIMITS.teamRowsListed }) {
    const { id } = await teamOrCurrent(context, word);
    const most = Math.min(limit, TEAM_LIMITS.teamRowsListed);
    const page = await (await context.teams()).events(id, { ...(after === undefined ? {} : { after }), limit: most });
    return { team_id: id, events: page.map(eventRow) };
  },
});

/** Rejects changes of the cast team, even if `teams.db` lacks it; returns the name reserved for that team. */
export async function refuseCastTeam(context: Pick<Context, 'projectFolder' | 'squad'>, word: string): Promise<string> {
  const { cast, reserved } = await castTeam(context);
  if (cast && labelNamed([cast], word)) refuseCast(cast);
  return reserved;
}

/** Applies a decision to the current teams in one transaction. An operation with several changes names each `step`. */
export async function changeTeams<Result>(
  context: TeamContext,
  decide: (view: TeamsView, call: TeamCall) => Queried<TeamPlan<Result>>,
  step?: string,
): Promise<Result> {
  const call = { by: context.caller.name, at: context.clock.now() };
  return await (await context.teams()).changeOnce(requestOf(context, step), (view) => decide(view, call));
}

function teamAnswer({ changed, team }: TeamResult) {
  return { changed, team: teamRow(team) };
}

function memberAnswer(result: MemberResult) {
  return { ...teamAnswer(result), member: memberRow(result.member) };
}
