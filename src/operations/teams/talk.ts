// `team say|chat|use`: the conversation of a team, and the current team of a person.

import * as z from 'zod/mini';
import { isTerminal } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import { checkedBody, personReader } from '#core/mail/message.js';
import { activeTeam, EMPTY_TEAM_PLAN, type TeamPlan } from '#core/teams/changes.js';
import {
  MAIL_TYPES,
  RECIPIENT_ROLES,
  SENDABLE_MAIL_TYPES,
  SENDER_KINDS,
  senderKind,
  type TeamMessage,
} from '#core/teams/mail.js';
import { sayToTeam } from '#core/teams/say.js';
import { planningTaskId, strataInProgress } from '#core/teams/strata.js';
import { NO_TALK } from '#core/teams/talk.js';
import { POSITIONS, type Team } from '#core/teams/team.js';
import { timestamp } from '#kernel/clock.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { Queried } from '#kernel/query.js';
import { uuidOf } from '#kernel/uuid.js';
import type { TeamContext, WorkContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { type Context, operation } from '#operations/operation.js';
import { TEAM_NAME, TEAM_OR_CURRENT, TEAM_OR_NONE } from '#operations/options.js';
import { relayOutbox } from '#operations/relay-outbox.js';
import { natural, positive } from '#operations/row-numbers.js';
import { text, texts } from '#operations/shapes.js';
import { teamSpeaker } from './speaker.js';
import { teamNamed, teamOrCurrent } from './team-lookup.js';
import { changeTeams } from './teams.js';

const whoShape = z.object({
  /** Name at the time of writing. */
  name: z.string(),
  /** Position on the team at the time of writing; null for the system, and for a person who is not a member. */
  position: z.nullable(z.enum(POSITIONS)),
  kind: z.enum(SENDER_KINDS),
  id: z.string(),
});
const chatRowShape = z.object({
  id: z.string(),
  number: z.number(),
  who: whoShape,
  at: z.string(),
  type: z.enum(MAIL_TYPES),
  /** Id of the task the message is about. */
  task: z.nullable(z.string()),
  thread: z.string(),
  reply_to: z.nullable(z.string()),
  to: z.array(z.object({ member: z.string(), role: z.enum(RECIPIENT_ROLES), read_at: z.nullable(z.string()) })),
  text: z.string(),
});
const ofTeam = { team_id: z.string(), team: z.string() };

/** Sends a message to a team. On the first message its leader plans before any member acts. */
export const say = operation({
  name: 'team.say',
  command: 'team say',
  group: 'Team',
  kind: 'write',
  forRuns: 'any',
  scope: 'member',
  summary: 'Send a message to a team; on the first one its leader plans before work starts',
  examples: ['troupe team say airlock "Fix the airlock"', 'troupe team say . "@Hicks, is the seal done?" --cc Ripley'],
  input: z.strictObject({
    team: TEAM_OR_CURRENT,
    text: argument('The message; @NAME calls a member', z.string()),
    to: option('The recipient (default: the leader, or those mentioned)', texts, { value: 'NAME' }),
    cc: option('Who gets a copy, without a turn', texts, { value: 'NAME' }),
    reply_to: option('The message it replies to, in the same thread', text, { value: 'ID' }),
    task: option('The task it is about', text, { value: 'ID', names: 'task' }),
    type: option('The type of message (default: message)', z.optional(z.enum(SENDABLE_MAIL_TYPES)), { value: 'WORD' }),
  }),
  output: z.object({
    ...ofTeam,
    status: z.literal('queued'),
    message_id: z.string(),
    thread: z.string(),
    /** Members who get a turn. */
    woken: z.readonly(z.array(z.string())),
    /** Whether the leader plans in response, before any member acts. */
    planning: z.boolean(),
    notices: z.readonly(z.array(z.string())),
  }),
  async run(
    context: WorkContext,
    { team: word, text: body, to = [], cc = [], reply_to: replyTo, task, type = 'message' },
  ) {
    const team = await teamOrCurrent(context, word);
    const saying = {
      id: uuidOf(`said ${context.request.requestId ?? context.freshId()}`),
      speaker: await teamSpeaker(context, team),
      body: checkedBody(body),
      type,
      to,
      cc,
      replyTo,
      task,
      planningOver: await planningEnded(context, team),
    };
    const graph = task === undefined ? undefined : await (await context.graph()).view();
    const result = await changeTeams(context, (view, call) => {
      if (task !== undefined && graph?.wasUsed(task) === false) taskOf(graph, task);
      return sayToTeam(view, team.id, saying, call);
    });
    await relayOutbox(context);
    const { message, woken, planning, notices } = result;
    const { id, thread } = message;
    const named = { team_id: team.id, team: result.team.name };
    return { ...named, status: 'queued' as const, message_id: id, thread, woken, planning, notices };
  },
});

/** Lists the messages of a team, latest last, with sender, position, time, task and thread. */
export const chat = operation({
  name: 'team.chat',
  command: 'team chat',
  group: 'Team',
  kind: 'read',
  graphless: true,
  summary: 'Show the messages of a team with sender, time, task and thread',
  examples: ['troupe team chat airlock', 'troupe team chat airlock --after 12 --json'],
  input: z.strictObject({
    team: TEAM_OR_NONE,
    after: option('Only messages after this one', natural, { value: 'N' }),
    limit: option('At most N', positive, { value: 'N' }),
  }),
  output: z.object({ ...ofTeam, messages: z.array(chatRowShape) }),
  async run(context: TeamContext, { team: word, after, limit = TEAM_LIMITS.messagesListed }) {
    const team = await teamOrCurrent(context, word);
    const most = Math.min(limit, TEAM_LIMITS.messagesListed);
    const page = await (await context.teams()).chat(team.id, {
      ...(after === undefined ? {} : { after }),
      limit: most,
    });
    return { team_id: team.id, team: team.name, messages: page.map(chatRow) };
  },
});

/** Sets the current team of a person: the default when no team is named. */
export const use = operation({
  name: 'team.use',
  command: 'team use',
  group: 'Team',
  kind: 'write',
  graphless: true,
  summary: 'Choose your current team, used where none is named',
  examples: ['troupe team use airlock', 'troupe team use airlock --json'],
  input: z.strictObject({ team: TEAM_NAME }),
  output: z.object(ofTeam),
  async run(context: TeamContext, { team: word }) {
    const { id } = await teamNamed(context, word);
    const person = personReader(context.caller.name);
    const team = await changeTeams(context, function* (view): Queried<TeamPlan<Team>> {
      const result = yield* activeTeam(view, id);
      const talk = { ...NO_TALK, inUse: [{ person, teamId: id }] };
      return { ...EMPTY_TEAM_PLAN, talk, result };
    });
    return { team_id: team.id, team: team.name };
  },
});

function chatRow(message: TeamMessage): z.infer<typeof chatRowShape> {
  const { id, number: place, sender, senderName: name, position, type, body, thread, replyTo, task } = message;
  const to = message.recipients.map(({ member, role, readAt }) => ({
    member,
    role,
    read_at: readAt === null ? null : timestamp(readAt),
  }));
  return {
    id,
    number: place,
    who: { name, position, kind: senderKind(message), id: sender },
    at: timestamp(message.createdAt),
    type,
    task,
    thread,
    reply_to: replyTo,
    to,
    text: body,
  };
}

/** Whether the planning task has ended without reporting a result. */
async function planningEnded(context: Pick<Context, 'graph' | 'teams'>, team: Team): Promise<boolean> {
  const attempt = strataInProgress(await (await context.teams()).strata(team.id));
  if (!attempt) return false;
  const task = (await (await context.graph()).view()).task(planningTaskId(team.id, attempt));
  return task !== undefined && isTerminal(task.status);
}
