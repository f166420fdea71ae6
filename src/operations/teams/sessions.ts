// `team session-start|list|show|turn|conclude|cancel`: members discuss one topic in turn.

import * as z from 'zod/mini';
import type { TeamCall, TeamPlan, TeamsView } from '#core/teams/changes.js';
import { nextSpeaker, SESSION_STATUSES, SESSION_TRIGGERS, type Session } from '#core/teams/session.js';
import {
  cancelSession,
  concludeSession,
  openSession,
  type SessionResult,
  speakInSession,
} from '#core/teams/session-changes.js';
import { leaderOf, type Team } from '#core/teams/team.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { Queried } from '#kernel/query.js';
import { inert, shellWord } from '#kernel/text.js';
import { uuidOf } from '#kernel/uuid.js';
import type { TeamContext, WorkContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { TEAM_OR_CURRENT, TEAM_OR_NONE } from '#operations/options.js';
import { relayOutbox } from '#operations/relay-outbox.js';
import { number, text } from '#operations/shapes.js';
import { teamSpeaker } from './speaker.js';
import { teamOrCurrent } from './team-lookup.js';
import { changeTeams } from './teams.js';

const sessionShape = z.object({
  id: z.string(),
  topic: z.string(),
  trigger: z.enum(SESSION_TRIGGERS),
  status: z.enum(SESSION_STATUSES),
  max_rounds: z.number(),
  participants: z.readonly(z.array(z.string())),
  /** Member whose turn it is; null once the session has ended. */
  next: z.nullable(z.string()),
  turns: z.readonly(z.array(z.object({ n: z.number(), member: z.string(), text: z.string() }))),
  outcome: z.nullable(
    z.object({ conclusion: z.string(), agreed: z.readonly(z.array(z.string())), dissent: z.nullable(z.string()) }),
  ),
  created_at: z.string(),
});
const answerShape = z.object({ team_id: z.string(), team: z.string(), session: sessionShape });

/** Starts a session of members, on request of the leader or a person. */
export const start = operation({
  name: 'team.session-start',
  command: 'team session-start',
  group: 'Team',
  kind: 'write',
  forRuns: 'any',
  scope: 'leader',
  summary: 'Start a session: members settle a topic in turn',
  examples: [
    'troupe team session-start airlock "Which seal?" --with Hicks,Vasquez',
    'troupe team session-start . "Which seal?" --with Hicks,Vasquez --rounds 2',
  ],
  input: z.strictObject({
    team: TEAM_OR_CURRENT,
    topic: argument('The topic', z.string()),
    with: option('The participants, in speaking order', z.array(z.string()), { value: 'NAME' }),
    rounds: option('Turns for each (default: 10)', number, { value: 'N' }),
  }),
  output: answerShape,
  async run(context: WorkContext, { team: word, topic, with: members, rounds }) {
    const { team, task } = await teamLedByCaller(context, word);
    const id = uuidOf(`session ${context.request.requestId ?? context.freshId()}`);
    const wish = { id, topic, with: members, rounds, trigger: 'explicit' as const, task };
    return await changed(context, (view, call) => openSession(view, team.id, wish, call));
  },
});

export const list = operation({
  name: 'team.session-list',
  command: 'team session-list',
  group: 'Team',
  kind: 'read',
  graphless: true,
  instead: 'team session-show --all',
  summary: 'List the sessions of a team, latest first',
  examples: ['troupe team session-show airlock --all', 'troupe team session-show airlock --all --json'],
  input: z.strictObject({ team: TEAM_OR_NONE }),
  output: z.object({ team_id: z.string(), team: z.string(), sessions: z.array(sessionShape) }),
  async run(context: TeamContext, { team: word }) {
    const team = await teamOrCurrent(context, word);
    const sessions = await (await context.teams()).sessions(team.id, TEAM_LIMITS.teamRowsListed);
    return { team_id: team.id, team: team.name, sessions: sessions.map(sessionRow) };
  },
});

export const show = operation({
  name: 'team.session-show',
  command: 'team session-show',
  group: 'Team',
  kind: 'read',
  graphless: true,
  summary: 'Show one session: its topic, messages and conclusion',
  examples: ['troupe team session-show airlock 0a1b2c3d', 'troupe team session-show airlock 0a1b2c3d --json'],
  input: z.strictObject({
    team: TEAM_OR_CURRENT,
    session: argument('Its id', z.string()),
  }),
  output: answerShape,
  async run(context: TeamContext, { team: word, session: id }) {
    const team = await teamOrCurrent(context, word);
    const sessions = await (await context.teams()).sessions(team.id, TEAM_LIMITS.teamRowsListed);
    const session = sessions.find((one) => one.id === id);
    if (session) return { team_id: team.id, team: team.name, session: sessionRow(session) };
    throw new TroupeError('not_found', {
      what: `${inert(team.name)} has no session ${inert(id.slice(0, WORK_LIMITS.idCharacters))}.`,
      hint: 'Run `troupe team session-show TEAM --all` to see them.',
      details: { team: team.name },
    });
  },
});

/** Records the contribution of the participant whose turn it is; no caller can speak for another member. */
export const turn = operation({
  name: 'team.session-turn',
  command: 'team session-turn',
  group: 'Team',
  kind: 'write',
  forRuns: 'any',
  scope: 'leader',
  forPrograms: true,
  summary: 'Take your turn in a session',
  examples: [
    'troupe team session-turn airlock 0a1b2c3d "Rubber wears out"',
    'troupe team session-turn . 0a1b2c3d "I agree"',
  ],
  input: z.strictObject({
    team: TEAM_OR_CURRENT,
    session: argument('Its id', z.string()),
    text: argument('Your contribution', z.string()),
  }),
  output: answerShape,
  async run(context: WorkContext, { team: word, session, text: body }) {
    const team = await teamOrCurrent(context, word);
    const { member } = await teamSpeaker(context, team);
    if (member === undefined)
      throw new TroupeError('not_yours', {
        what: 'Only participants can speak in a session.',
        hint: `Write to the team with \`troupe team say ${shellWord(team.name)} TEXT\`, or end the session with \`troupe team session-conclude ${shellWord(team.name)} ${shellWord(session)} CONCLUSION\`.`,
      });
    return await changed(context, (view, call) => speakInSession(view, team.id, { session, member, body }, call));
  },
});

export const conclude = operation({
  name: 'team.session-conclude',
  command: 'team session-conclude',
  group: 'Team',
  kind: 'write',
  forRuns: 'any',
  scope: 'leader',
  summary: 'Conclude a session (leader or person only)',
  examples: [
    'troupe team session-conclude airlock 0a1b2c3d "Rubber" --agreed Hicks',
    'troupe team session-conclude . 0a1b2c3d "Rubber" --dissent "Vasquez wants steel"',
  ],
  input: z.strictObject({
    team: TEAM_OR_CURRENT,
    session: argument('Its id', z.string()),
    conclusion: argument('The conclusion', z.string()),
    agreed: option('Who agreed', z.optional(z.array(z.string())), { value: 'NAME' }),
    dissent: option('Who did not agree, and why', text, { value: 'TEXT' }),
  }),
  output: answerShape,
  async run(context: WorkContext, { team: word, session, conclusion, agreed = [], dissent }) {
    const { team } = await teamLedByCaller(context, word);
    const end = { session, conclusion, agreed, dissent };
    return await changed(context, (view, call) => concludeSession(view, team.id, end, call));
  },
});

export const cancel = operation({
  name: 'team.session-cancel',
  command: 'team session-cancel',
  group: 'Team',
  kind: 'write',
  forRuns: 'any',
  scope: 'leader',
  instead: 'team session-conclude --cancel',
  summary: 'Cancel a session without a conclusion',
  examples: [
    'troupe team session-conclude airlock 0a1b2c3d --cancel',
    'troupe team session-conclude . 0a1b2c3d --cancel',
  ],
  input: z.strictObject({
    team: TEAM_OR_CURRENT,
    session: argument('Its id', z.string()),
  }),
  output: answerShape,
  async run(context: WorkContext, { team: word, session }) {
    const { team } = await teamLedByCaller(context, word);
    return await changed(context, (view, call) => cancelSession(view, team.id, session, call));
  },
});

/**
 * Resolves the team for actions reserved to its leader or a person, with the task of the leader's run. Errors:
 * `not_yours`.
 */
async function teamLedByCaller(context: WorkContext, word: string): Promise<{ team: Team; task: string | undefined }> {
  const team = await teamOrCurrent(context, word);
  const { member, task } = await teamSpeaker(context, team);
  if (task === undefined || member === leaderOf(team)?.slug) return { team, task };
  throw new TroupeError('not_yours', { what: `Only the leader of ${inert(team.name)} or a person can do this.` });
}

async function changed(
  context: WorkContext,
  decide: (view: TeamsView, call: TeamCall) => Queried<TeamPlan<SessionResult>>,
) {
  const { team, session } = await changeTeams(context, decide);
  await relayOutbox(context);
  return { team_id: team.id, team: team.name, session: sessionRow(session) };
}

function sessionRow(session: Session): z.infer<typeof sessionShape> {
  const { id, topic, trigger, status, maxRounds, participants, turns, outcome, createdAt } = session;
  return {
    id,
    topic,
    trigger,
    status,
    max_rounds: maxRounds,
    participants,
    next: nextSpeaker(session) ?? null,
    turns: turns.map(({ n, member, body }) => ({ n, member, text: body })),
    outcome,
    created_at: timestamp(createdAt),
  };
}
