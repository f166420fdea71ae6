import { LIMITS } from '#kernel/limits.js';
import { cut } from '#kernel/text.js';

/** What a person wrote about a task of theirs. */
export type Answer =
  | { readonly do: 'done'; readonly id: string }
  | { readonly do: 'fail'; readonly id: string; readonly why: string };

/**
 * `!done ID`, `!fail ID WHY`. Anybody in a room can write that, so it counts only from the contact of the agent who holds the
 * task; `contact` is asked with the task, and compared with whom the channel names as sender. Undefined for all other words.
 */
export function answerIn(
  reply: { readonly sender: string; readonly text: string },
  contact: (id: string) => string | undefined,
): Answer | undefined {
  const match = /^!(done|fail)[ \t]+(\S{1,200})(?:[ \t\r\n]+([\s\S]*))?$/.exec(reply.text.trim());
  const [, verb, id, rest = ''] = match ?? [];
  if (id === undefined || contact(id) !== reply.sender) return undefined;
  const why = cut(rest.trim(), LIMITS.replyReasonCharacters);
  if (verb === 'done') return why === '' ? { do: 'done', id } : undefined;
  return why === '' ? undefined : { do: 'fail', id, why };
}
