import { LIMITS } from '#kernel/limits.js';
import { cut } from '#kernel/text.js';

/** Somebody who does tasks and is no program. */
export interface Person {
  readonly name: string;
  /** How they are told; undefined for who is told by nobody and looks for themselves. */
  readonly channel?: 'email' | 'matrix';
  /** Where the channel reaches them. */
  readonly contact?: string;
  /** How many tasks they hold at once; undefined: any. */
  readonly capacity?: number;
}

/** The person behind an agent that is one, by the executor that reaches them: `email`, `matrix`, or a custom one. */
export function personOf(agent: {
  readonly name: string;
  readonly executor: string;
  readonly contact?: string | undefined;
  readonly capacity?: number | undefined;
}): Person {
  const { executor, contact, capacity } = agent;
  const name = /^agent-\d+$/.test(agent.name) ? `person ${agent.name}` : agent.name; // so are runs called
  const channel = executor === 'email' || executor === 'matrix' ? executor : channelOf(contact);
  return {
    name,
    ...(channel === undefined ? {} : { channel }),
    ...(contact === undefined ? {} : { contact }),
    ...(capacity === undefined ? {} : { capacity }),
  };
}

/** A custom executor does not say how its people are told: the form of the contact does. */
function channelOf(contact = ''): Person['channel'] {
  if (/^@[^\s:]+:\S+$/.test(contact)) return 'matrix';
  return /^[^\s@]+@[^\s@]+$/.test(contact) ? 'email' : undefined;
}

/** What a person wrote about a task of theirs. */
export type TaskReply =
  | { readonly do: 'done'; readonly id: string }
  | { readonly do: 'fail'; readonly id: string; readonly why: string };

/**
 * `!done ID`, `!fail ID WHY`. Anybody in a room can write that, so it counts only from the contact of the agent who holds the
 * task; `contact` is asked with the task, and compared with whom the channel names as sender. Undefined for all other words.
 */
export function answerIn(
  reply: { readonly sender: string; readonly text: string },
  contact: (id: string) => string | undefined,
): TaskReply | undefined {
  const match = /^!(done|fail)[ \t]+(\S{1,200})(?:\s+([\s\S]*))?$/.exec(reply.text.trim());
  const [, verb, id, rest = ''] = match ?? [];
  if (id === undefined || contact(id) !== reply.sender) return undefined;
  const why = cut(rest, LIMITS.replyReasonCharacters);
  if (verb === 'done') return why === '' ? { do: 'done', id } : undefined;
  return why === '' ? undefined : { do: 'fail', id, why };
}
