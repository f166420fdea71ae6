import * as z from 'zod/mini';
import { timestamp } from '#kernel/clock.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { cut } from '#kernel/text.js';
import type { WorkContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';

/** Finds talk about tasks and of teams, for a person who remembers words of it. Task and team say where it is read. */
export const search = operation({
  name: 'msg.search',
  command: 'msg list',
  group: 'Messages',
  kind: 'read',
  unlisted: true,
  summary: 'Find messages about tasks and of teams by their words',
  examples: [],
  resource: [
    {
      method: 'GET',
      path: '/api/msg/search',
      summary: 'Messages about tasks and of teams with these words.',
      fields: ['words', 'limit'],
    },
  ],
  input: z.strictObject({
    words: option(
      'Words that occur in this order',
      z.string().check(z.maxLength(TEAM_LIMITS.messageSearchCharacters)),
      {
        value: 'WORDS',
      },
    ),
    limit: option('At most N', z.optional(z.int().check(z.minimum(1), z.maximum(TEAM_LIMITS.messagesFound))), {
      value: 'N',
    }),
  }),
  output: z.object({
    messages: z.array(
      z.object({
        id: z.string(),
        number: z.number(),
        from: z.string(),
        at: z.string(),
        /** Text around the first of the words. */
        excerpt: z.string(),
        task_id: z.nullable(z.string()),
        team: z.nullable(z.string()),
      }),
    ),
  }),
  async run(context: WorkContext, { words, limit = TEAM_LIMITS.messagesFound }) {
    const wanted = words.split(/\s+/).filter((word) => word !== '');
    if (wanted.length === 0) return { messages: [] };
    const found = await (await context.mail()).find(wanted, limit);
    const view = await (await context.graph()).view();
    return {
      messages: found
        // The talk of an archived task has no place to be read.
        .filter(({ task }) => task === null || view.task(task) !== undefined)
        .map(({ id, number, sender_name: from, created_at: at, body, task, team }) => ({
          ...{ id, number, from, at: timestamp(at), excerpt: excerptOf(body, wanted), task_id: task, team },
        })),
    };
  },
});

/** One line that begins shortly before the first word; a message found by its sender is shown from its beginning. */
function excerptOf(body: string, [first = '']: readonly string[]): string {
  const text = body.replaceAll(/\s+/g, ' ').trim();
  const most = TEAM_LIMITS.messageExcerptCharacters;
  const at = text.toLowerCase().indexOf(first.toLowerCase());
  const from = text.length <= most ? 0 : text.lastIndexOf(' ', Math.max(0, at - most / 4)) + 1;
  return cut(from === 0 ? text : `… ${text.slice(from)}`, most);
}
