import * as z from 'zod/mini';
import {
  allSessions,
  CHAT_TAG,
  chatTask,
  type Session,
  sessionSchema,
  unknownSession,
} from '#core/coordinator/sessions.js';
import { addTask } from '#core/graph/add.js';
import type { EventDraft } from '#core/graph/event.js';
import { taskConversation, taskReader } from '#core/messages/message.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { send } from '#operations/messages/messages.js';
import { messagesShape, shown } from '#operations/messages/shapes.js';
import { whoCalls } from '#operations/messages/who.js';
import { type Context, operation } from '#operations/operation.js';
import { sessionId } from './session-id.js';

/**
 * Says something to a session: its chat task is made with the first message, and opened again by the coordinator for later
 * ones. Without a message, what was said so far.
 */
export const chat = operation({
  name: 'session.chat',
  input: z.strictObject({ message: z.optional(z.string()), coordinator: z.optional(sessionId) }),
  output: z.extend(sessionSchema, { task: z.string(), number: z.nullable(z.number()), messages: messagesShape }),
  async run(context, { message, coordinator = 0 }) {
    const session = allSessions(await (await context.sessions()).read()).find(({ id }) => id === coordinator);
    if (!session) throw unknownSession(coordinator);
    const task = chatTask(session.id);
    let number: number | null = null;
    if (message !== undefined) {
      await makeTask(context, session);
      ({ number } = await send.run(context, { id: task, text: message }));
    }
    return { ...session, task, number, messages: await saidSoFar(context, task) };
  },
});

/** Open at once: the first message starts it as any task. */
async function makeTask(context: Context, session: Session): Promise<void> {
  const store = await context.graph();
  const id = chatTask(session.id);
  const known = (await store.view()).task(id);
  if (known?.tags?.includes(CHAT_TAG)) return;
  if (known)
    throw new TroupeError('id_taken', {
      what: `${id} is a task of another kind: ${session.name} has no place to talk.`,
    });
  const draft = {
    id,
    title: `Talk with ${session.name}`,
    description: `A person wrote to you. Read it with \`troupe msg read ${id}\`, do what it asks, and answer with \`troupe msg send ${id} TEXT\`. Work of some size becomes tasks of its own.`,
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

async function saidSoFar(context: Context, task: string) {
  if (!(await (await context.graph()).view()).task(task)) return [];
  const who = await whoCalls(context, undefined);
  const messages = await context.messages();
  const conversation = taskConversation(task);
  const cursor = await messages.cursor(who.reader, conversation);
  const said = await messages.list(conversation, { limit: LIMITS.chatShown });
  const last = said.at(-1);
  if (last && who.reader !== taskReader(task)) await messages.moveCursor(who.reader, conversation, last.number);
  return said.map((message) => shown(message, who, cursor));
}
