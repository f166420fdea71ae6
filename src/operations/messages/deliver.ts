import type { Entry } from '#core/graph/event.js';
import { type MessageFact, messageTask } from '#core/graph/message.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import type { GraphStore } from '#ports/graph-store.js';
import type { Messages, PendingDelivery } from '#ports/messages.js';

/**
 * Tells the graph of messages it does not know yet, those of a process that was killed in between too. Each carries its own
 * request, so that of two who deliver at once the second changes nothing. Answers the events there were.
 */
export async function deliverMessages(context: {
  graph(): Promise<GraphStore>;
  messages(): Promise<Messages>;
}): Promise<readonly Entry[]> {
  const [store, messages] = [await context.graph(), await context.messages()];
  const entries: Entry[] = [];
  for (const { id, args } of await messages.undelivered(LIMITS.messagesUndelivered)) {
    try {
      const fact = factOf(id, args);
      const commit = await store.commit((view) => messageTask(view, fact.task, fact), { requestId: `message:${id}` });
      entries.push(...commit.entries);
      await messages.settle(id, 'done');
    } catch (error) {
      // The task is gone: nobody is left to be told.
      if (!(error instanceof TroupeError) || error.code !== 'unknown_task') throw error;
      await messages.settle(id, 'refused');
    }
  }
  return entries;
}

/** What was written beside the message when it was sent. */
export function argsOf(task: string, fact: Pick<MessageFact, 'from' | 'kind'>): PendingDelivery['args'] {
  return { task_id: task, from: fact.from, kind: fact.kind };
}

function factOf(id: string, args: PendingDelivery['args']): MessageFact & { task: string } {
  const { task_id, from, kind, number } = args;
  const senderKind = kind === 'person' || kind === 'coordinator' ? kind : 'run';
  return { task: String(task_id), message_id: id, number: Number(number), from: String(from), kind: senderKind };
}
