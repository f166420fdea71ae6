// `team strata|replan|plan-work`: the plan that a leader makes before members act.

import * as z from 'zod/mini';
import { nameTeam, needsTeamName, type PlanningOutcome, replanTeam, settlePlanning } from '#core/teams/planning.js';
import { planningTaskId, STRATA_STATES, type Strata, strataInForce, strataInProgress } from '#core/teams/strata.js';
import { strataBlock, strataIn, strataPlanShape } from '#core/teams/strata-plan.js';
import { leaderOf, presentMembers, type Team, type TeamMember } from '#core/teams/team.js';
import { nameIn } from '#core/teams/team-name.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { Block } from '#kernel/question.js';
import type { MachineContext, ModelContext, TeamContext, WorkContext } from '#operations/contexts.js';
import { argument } from '#operations/fields.js';
import { loadAgency } from '#operations/load-agency.js';
import { type Context, operation } from '#operations/operation.js';
import { TEAM_OR_CURRENT, TEAM_OR_NONE } from '#operations/options.js';
import { participantOf } from '#operations/participant.js';
import { relayOutbox } from '#operations/relay-outbox.js';
import { ask } from '#operations/settings/ask.js';
import { text } from '#operations/shapes.js';
import { castTeam, teamNamed, teamOrCurrent } from './team-lookup.js';
import { changeTeams } from './teams.js';

const strataShape = z.object({
  version: z.number(),
  state: z.enum(STRATA_STATES),
  tries: z.number(),
  created_at: z.string(),
  sha256: z.nullable(z.string()),
  plan: z.nullable(strataPlanShape),
  /** Id of the task that makes the plan. */
  task: z.string(),
});
const ofTeam = { team_id: z.string(), team: z.string() };

/** Returns the plan in force, as shown to members, and every version. */
export const strata = operation({
  name: 'team.strata',
  command: 'team strata',
  group: 'Team',
  kind: 'read',
  graphless: true,
  summary: 'Show the plan that every member of a team gets',
  examples: ['troupe team strata airlock', 'troupe team strata airlock --json'],
  input: z.strictObject({ team: TEAM_OR_NONE }),
  output: z.object({
    ...ofTeam,
    in_force: z.nullable(strataShape),
    /** Exact text shown to every member; null if none is shown. */
    text: z.nullable(z.string()),
    versions: z.array(strataShape),
  }),
  async run(context: TeamContext, { team: word }) {
    const team = await teamOrCurrent(context, word);
    const rows = await (await context.teams()).strata(team.id);
    const inForce = strataInForce(rows);
    return {
      team_id: team.id,
      team: team.name,
      in_force: inForce ? strataRow(inForce) : null,
      text: inForce?.plan ? strataBlock(inForce.plan) : null,
      versions: rows.map(strataRow),
    };
  },
});

/** Requests a new plan on behalf of a person; the plan in force remains valid until the new one is ready. */
export const replan = operation({
  name: 'team.replan',
  command: 'team replan',
  group: 'Team',
  kind: 'write',
  instead: 'team strata --replan',
  summary: 'Have the leader make a new plan; the current one applies until then',
  examples: ['troupe team strata airlock --replan', 'troupe team strata . --replan --json'],
  input: z.strictObject({ team: TEAM_OR_CURRENT }),
  output: z.object({ ...ofTeam, strata: strataShape }),
  async run(context: WorkContext, { team: word }) {
    const { id } = await teamOrCurrent(context, word);
    const { team, strata: row } = await changeTeams(context, (view, call) => replanTeam(view, id, call));
    await relayOutbox(context);
    return { team_id: team.id, team: team.name, strata: strataRow(row) };
  },
});

/**
 * Runs the leader's planning task: asks a model, without tools, in the role of the leader, and stores its answer. No
 * lock is held meanwhile. Also names a team that has no name. A failed attempt is stored as failed, and work continues
 * without a plan.
 */
export const planWork = operation({
  name: 'team.plan-work',
  command: 'team plan-work',
  group: 'Team',
  kind: 'write',
  forRuns: 'any',
  scope: 'leader',
  asks: { purpose: 'team_plan' },
  forPrograms: true,
  summary: 'Make the plan of a team (run by its planning task)',
  examples: ['troupe team plan-work airlock 1 1', 'troupe team plan-work airlock 2 1 --quiet'],
  input: z.strictObject({
    team: argument('Its id', z.string()),
    version: argument('The version of the plan', z.string()),
    tries: argument('The number of the try', z.string()),
  }),
  output: z.object({ ...ofTeam, strata: strataShape, reason: text }),
  async run(context: WorkContext & ModelContext & MachineContext, input) {
    const team = await teamNamed(context, input.team);
    const attempt = { version: Number(input.version), tries: Number(input.tries) };
    const fence = await plannerOf(context, planningTaskId(team.id, attempt));
    const rows = await (await context.teams()).strata(team.id);
    const row = strataInProgress(rows);
    if (row?.version !== attempt.version || row.tries !== attempt.tries)
      throw new TroupeError('stale_attempt', { what: 'This plan is no longer being made.' });
    const blocks = await blocksOf(context, team);
    if (needsTeamName(team, rows)) await giveName(context, team, blocks);
    const outcome = await planOf(context, team, { attempt: row, blocks });
    const settled = { attempt, outcome, fence };
    const result = await changeTeams(context, (view, call) => settlePlanning(view, team.id, settled, call));
    return {
      team_id: team.id,
      team: result.team.name,
      strata: strataRow(result.strata),
      ...(outcome.state === 'failed' ? { reason: outcome.reason } : {}),
    };
  },
});

/**
 * Returns the fence of the run of this planning task; no other run may plan, and this one only while it holds the task.
 * Errors: `not_yours`, `stale_attempt`.
 */
async function plannerOf(context: Pick<Context, 'caller' | 'graph'>, task: string): Promise<number> {
  const { caller } = context;
  if (caller.kind !== 'run' || caller.taskId !== task) {
    throw new TroupeError('not_yours', {
      what: 'A plan can be made only by the run of its own task.',
      hint: 'Request another one with `troupe team strata TEAM --replan`.',
    });
  }
  await participantOf(context, undefined);
  return caller.fence;
}

async function planOf(
  context: ModelContext & MachineContext,
  team: Team,
  { attempt, blocks }: { readonly attempt: Strata; readonly blocks: readonly Block[] },
): Promise<PlanningOutcome> {
  const { answer, failure } = await ask(context, {
    purpose: 'team_plan',
    name: 'team-plan',
    blocks,
    task: planningTaskId(team.id, attempt),
    tries: 2,
    take: (reply) => strataIn(reply, team),
  });
  return answer ?? { state: 'failed', reason: failure?.reason ?? '' };
}

/** Asks the model once for a name; without a usable answer the placeholder stays. */
async function giveName(
  context: TeamContext & ModelContext & MachineContext,
  team: Team,
  blocks: readonly Block[],
): Promise<void> {
  const { answer: name } = await ask(context, { purpose: 'team_name', name: 'team-name', blocks, take: nameIn });
  if (name === undefined) return;
  const { reserved } = await castTeam(context);
  await changeTeams(context, (view, call) => nameTeam(view, team.id, { name, reserved }, call), 'name');
}

/** Composes the planner's prompt: the team, the role of each member, and the messages, oldest first. */
async function blocksOf(context: WorkContext, team: Team): Promise<readonly Block[]> {
  const agency = await loadAgency(context);
  const leader = leaderOf(team);
  const describe = ({ slug, name, position, agent }: TeamMember) => {
    const role = agent === null ? undefined : agency.role(agency.agent(agent)?.role_id ?? '');
    return `${slug}: ${name}, ${position}${role ? `, ${role.name}: ${role.description}` : ''}`;
  };
  const acting = presentMembers(team).filter(({ position, status }) => position !== 'observer' && status === 'active');
  const said = await (await context.teams()).chat(team.id, { after: 0, limit: TEAM_LIMITS.promptMessages });
  return [
    { label: 'you plan as', text: leader ? describe(leader) : '', most: TEAM_LIMITS.promptReasonBytes },
    { label: 'team', text: acting.map(describe).join('\n'), most: TEAM_LIMITS.promptListBytes },
    { label: 'what the team is for', text: team.description, most: TEAM_LIMITS.promptReasonBytes },
    ...said.map(({ senderName, body }) => ({
      label: 'message',
      text: `${senderName}: ${body}`,
      most: TEAM_LIMITS.promptMessageBytes,
    })),
  ];
}

function strataRow(row: Strata): z.infer<typeof strataShape> {
  const { teamId, version, state, tries, createdAt, sha256, plan } = row;
  return { version, state, tries, created_at: timestamp(createdAt), sha256, plan, task: planningTaskId(teamId, row) };
}
