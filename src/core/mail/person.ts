import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { cut } from '#kernel/text.js';

/** A human who does tasks. */
export interface Person {
  readonly name: string;
  /** Notification channel; undefined if the person is not notified and looks for tasks themselves. */
  readonly channel?: 'email' | 'matrix';
  /** Address on the channel. */
  readonly contact?: string;
  /** Maximum tasks held at once; undefined: no limit. */
  readonly capacity?: number;
}

/**
 * Person represented by an agent; the channel follows from the executor (`email`, `matrix`) or, for a custom one, from
 * the contact.
 */
export function personOf(agent: {
  readonly name: string;
  readonly executor: string;
  readonly contact?: string | undefined;
  readonly capacity?: number | undefined;
}): Person {
  const { executor, contact, capacity } = agent;
  const name = /^agent-\d+$/.test(agent.name) ? `person ${agent.name}` : agent.name; // runs have names of this form
  const channel = executor === 'email' || executor === 'matrix' ? executor : channelOf(contact);
  return {
    name,
    ...(channel === undefined ? {} : { channel }),
    ...(contact === undefined ? {} : { contact }),
    ...(capacity === undefined ? {} : { capacity }),
  };
}

/** Channel of a custom executor, derived from the form of the contact. */
function channelOf(contact = ''): Person['channel'] {
  if (/^@[^\s:]+:\S+$/.test(contact)) return 'matrix';
  return /^[^\s@]+@[^\s@]+$/.test(contact) ? 'email' : undefined;
}

/** A person's reply about a task they hold. */
export type TaskReply =
  | { readonly do: 'done'; readonly id: string }
  | { readonly do: 'fail'; readonly id: string; readonly why: string };

/**
 * Parses `!done ID` and `!fail ID WHY`; undefined for any other text. Anybody in a room can write that, so it counts
 * only if the sender named by the channel is the contact of the agent that holds the task, which `contact` returns.
 */
export function parseTaskReply(
  reply: { readonly sender: string; readonly text: string },
  contact: (id: string) => string | undefined,
): TaskReply | undefined {
  const match = /^!(done|fail)[ \t]+(\S{1,200})(?:\s+([\s\S]*))?$/.exec(reply.text.trim());
  const [, verb, id, rest = ''] = match ?? [];
  if (id === undefined || contact(id) !== reply.sender) return undefined;
  const why = cut(rest, TEAM_LIMITS.replyReasonCharacters);
  if (verb === 'done') return why === '' ? { do: 'done', id } : undefined;
  return why === '' ? undefined : { do: 'fail', id, why };
}
