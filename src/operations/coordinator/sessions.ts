import * as z from 'zod/mini';
import { COORDINATOR_STATES, type CoordinatorState } from '#core/coordinator/session-states.js';
import {
  allSessions,
  CHAT_TAG,
  changeSession,
  chatTask,
  createSession,
  type SessionWishes,
  scopeWords,
  sessionSchema,
  type TaskSession,
  unknownSession,
} from '#core/coordinator/sessions.js';
import { addTask } from '#core/graph/add.js';
import type { EventDraft } from '#core/graph/event.js';
import { taskConversation, taskReader } from '#core/mail/message.js';
import { markRead } from '#core/mail/turns.js';
import { TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { GraphContext, MachineContext, TeamContext, WorkContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { loadSettings } from '#operations/load-settings.js';
import { messageRow, messagesShape, send } from '#operations/mail/task-talk.js';
import { operation } from '#operations/operation.js';
import { participantOf } from '#operations/participant.js';
import { refuseUnknownExecutor } from '#operations/settings/usable-executors.js';

/** Number of a session, as a number or as typed text. */
const sessionId = z.pipe(
  z.union([z.int().check(z.minimum(0)), z.string().check(z.regex(/^\d{1,9}$/))]),
  z.transform(Number),
);

const text = z.optional(z.string().check(z.minLength(1), z.maxLength(WORK_LIMITS.idCharacters)));

/** Creates a session for some of the tasks. */
export const createCoordinator = operation({
  name: 'session.create',
  command: 'service create-coordinator',
  group: 'Service',
  kind: 'write',
  scope: 'leader',
  instead: 'service coordinators --create',
  summary: 'Create a session that handles some of the tasks',
  examples: [
    'troupe service coordinators frontend --create --tag web',
    'troupe service coordinators release --create --root cut-the-branch --max-agents 1 --json',
  ],
  input: z.strictObject({
    name: argument('Its name', text),
    tags: option('Include tasks with this tag', z.optional(scopeWords), { flag: 'tag', value: 'TAG' }),
    roots: option('Include this task and everything that depends on it', z.optional(scopeWords), {
      flag: 'root',
      value: 'ID',
    }),
    max_agents: option(
      'Maximum concurrent agents',
      z.optional(z.int().check(z.minimum(1), z.maximum(WORK_LIMITS.agentsMost))),
      { value: 'N' },
    ),
    executor: option('The client for its tasks', text, { value: 'NAME' }),
    model: option('The model for its clients', text, { value: 'MODEL' }),
  }),
  output: sessionSchema,
  async run(context: TeamContext & MachineContext, { name, tags = [], roots = [], max_agents, executor, model }) {
    const { settings } = await loadSettings(context);
    if (executor !== undefined) await refuseUnknownExecutor(context, executor);
    const wishes: SessionWishes = {
      ...(name === undefined ? {} : { name }),
      scope: { tags: [...new Set(tags)], roots: [...new Set(roots)] },
      max_agents: max_agents ?? null,
      executor: executor ?? null,
      model: model ?? null,
    };
    const file = await context.sessions();
    return file.change((sessions) => createSession(sessions, wishes, settings.coordinator.max_coordinators));
  },
});

/** All sessions, starting with session 0. */
export const listCoordinators = operation({
  name: 'session.list',
  command: 'service coordinators',
  group: 'Service',
  kind: 'read',
  summary: 'List the sessions and their tasks',
  examples: ['troupe service coordinators', 'troupe service coordinators --json'],
  input: z.strictObject({}),
  output: z.object({ coordinators: z.readonly(z.array(sessionSchema)) }),
  async run(context: TeamContext) {
    return { coordinators: allSessions(await (await context.sessions()).read()) };
  },
});

/** Fields of a session in each state; its tasks go to the next matching session, or to session 0, if it is deleted. */
const FIELDS_OF: Readonly<Record<CoordinatorState, Parameters<typeof changeSession>[2]>> = {
  running: { paused: false, status: 'in-progress' },
  paused: { paused: true },
  stopped: { status: 'open' },
  archived: { status: 'done' },
  deleted: undefined,
};

/** Puts a session into a state. Returns once no round uses its previous one. */
export const changeCoordinator = operation({
  name: 'session.change',
  command: 'service set-coordinator',
  group: 'Service',
  kind: 'write',
  scope: 'leader',
  instead: 'service coordinators --state',
  summary: 'Pause, resume, stop, archive or delete a session',
  examples: ['troupe service coordinators 1 --state paused', 'troupe service coordinators 0 --state running --json'],
  input: z.strictObject({
    id: argument('The number of the session', sessionId),
    state: option(
      'running, paused; stopped: starts nothing more; archived; deleted: its tasks return to session 0',
      z.enum(COORDINATOR_STATES),
      { value: 'STATE' },
    ),
  }),
  output: z.extend(sessionSchema, { deleted: z.optional(z.literal(true)) }),
  async run(context: WorkContext, { id, state }) {
    const file = await context.sessions();
    const session = await file.change((sessions) => changeSession(sessions, id, FIELDS_OF[state]));
    await context.coordinator?.().roundEnd();
    return state === 'deleted' ? { ...session, deleted: true as const } : session;
  },
});

/**
 * Sends a message to a session. The first message creates its chat task; later ones make the coordinator reopen it.
 * Without a message, returns the conversation so far.
 */
export const chat = operation({
  name: 'session.chat',
  command: 'chat',
  group: 'Messages',
  kind: 'write',
  scope: 'leader',
  summary: 'Chat with a session; it answers in its chat task',
  examples: ['troupe chat "what is left to do?"', 'troupe chat --coordinator 1 --json'],
  input: z.strictObject({
    message: argument('The message (default: show the chat)', z.optional(z.string())),
    coordinator: option('The session (default: 0)', z.optional(sessionId), { value: 'ID' }),
  }),
  output: z.extend(sessionSchema, { task: z.string(), number: z.nullable(z.number()), messages: messagesShape }),
  async run(context: WorkContext, { message, coordinator = 0 }) {
    const session = allSessions(await (await context.sessions()).read()).find(({ id }) => id === coordinator);
    if (!session) throw unknownSession(coordinator);
    const task = chatTask(session.id);
    let number: number | null = null;
    if (message !== undefined) {
      await makeTask(context, session);
      ({ number } = await send.run(context, { id: task, text: message }));
    }
    return { ...session, task, number, messages: await recentMessages(context, task) };
  },
});

/** Created open: the first message starts it like any task. */
async function makeTask(context: GraphContext, session: TaskSession): Promise<void> {
  const store = await context.graph();
  const id = chatTask(session.id);
  const existing = (await store.view()).task(id);
  if (existing?.tags?.includes(CHAT_TAG)) return;
  if (existing)
    throw new TroupeError('id_taken', {
      what: `${id} is another kind of task: ${session.name} has no chat.`,
    });
  const draft = {
    id,
    title: `Talk with ${session.name}`,
    description: `A person wrote to you. Read the message with \`troupe msg read ${id}\`, do what it asks, and answer with \`troupe msg send ${id} TEXT\`. Add tasks for larger work.`,
    tags: [CHAT_TAG, 'resurrect:false'],
    no_place: true,
  };
  await store.commit((view) => {
    const plan = addTask(view, draft, { now: context.clock.now(), actor: context.caller.name });
    const mark: EventDraft = {
      op: 'edit',
      task_id: id,
      actor: context.caller.name,
      patch: [{ id, set: { chat_delivered: 1 } }],
    };
    return { ...plan, events: [...plan.events, mark] };
  });
}

async function recentMessages(context: WorkContext, task: string) {
  if (!(await (await context.graph()).view()).task(task)) return [];
  const participant = await participantOf(context, undefined);
  const mail = await context.mail();
  const conversation = taskConversation(task);
  const cursor = await mail.cursor(participant.reader, conversation);
  const latest = await mail.messages(conversation, { limit: WORK_LIMITS.chatShown });
  const last = latest.at(-1);
  if (last && participant.reader !== taskReader(task))
    await mail.change(() => markRead({ reader: participant.reader, conversation, to: last.number }));
  return latest.map((message) => messageRow(message, participant, cursor));
}
