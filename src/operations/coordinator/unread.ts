import type { UnreadFact } from '#core/coordinator/resurrect.js';
import type { Message } from '#core/messages/message.js';
import { LIMITS } from '#kernel/limits.js';
import type { Context } from '#operations/operation.js';
import { committed, type HostOf } from './host.js';

/** Messages to tasks that are done; nothing is asked while none is. A broken teams.db is no reason to run nothing. */
export function messagesHost(read: () => Promise<readonly UnreadFact[]>): HostOf<'messages'> {
  return {
    facts: async ({ view }) => ({ unread: view.count('done') === 0 ? [] : await read().catch(() => []) }),
    carryOut: { resurrect: committed },
  };
}

/** What was written to tasks and nobody who worked at them has read, as facts for a tick. */
export async function unreadFacts(context: Context): Promise<readonly UnreadFact[]> {
  const unread = await (await context.messages()).unread(LIMITS.unreadConversations);
  return unread.flatMap(({ task, messages }) => messages.map((message) => factOf(task, message)));
}

function factOf(task: string, { number, created_at: at, sender, speaks_for }: Message): UnreadFact {
  const from = sender.startsWith('human/') ? 'person' : sender.startsWith('run/') ? 'run' : 'coordinator';
  return { task, number, at, from, ...(speaks_for.startsWith('task/') ? { speaksFor: speaks_for.slice(5) } : {}) };
}
