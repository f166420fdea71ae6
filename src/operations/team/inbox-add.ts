import * as z from 'zod/mini';
import { checkedEntry } from '#core/team/inbox-file.js';
import { ENTRY_TYPES } from '#core/team/memory.js';
import { FILED } from '#core/team/memory-entries.js';
import { TroupeError } from '#kernel/errors.js';
import { operation } from '#operations/operation.js';
import { entryShape, shownEntry, text } from './memory-shapes.js';
import { callerName, unfit } from './memory-words.js';
import { memberSpokenFor } from './speaker.js';

/** Proposes something in the name of a member. Said again under the same slug it takes the place of what waits. */
export const inboxAdd = operation({
  name: 'inbox.add',
  input: z.strictObject({
    agent: z.string(),
    title: z.string(),
    slug: text,
    type: z.optional(z.enum(ENTRY_TYPES)),
    content: text,
    rationale: text,
  }),
  output: z.extend(entryShape, { filed: z.enum(FILED) }),
  async run(context, { agent, title, slug, type, content = '', rationale = '' }) {
    const member = await memberSpokenFor(context, agent);
    const given = {
      agent: member,
      slug: slug ?? slugFrom(title),
      type: type ?? 'process',
      title,
      content,
      rationale,
    };
    const checked = checkedEntry(given);
    if ('reason' in checked) throw unfit(checked.reason);
    const made = { created_by: callerName(context), created_at: context.clock.now() };
    const { entry, filed } = await (await context.teamMemory()).file({ ...checked.entry, ...made });
    if (filed === 'settled') {
      throw new TroupeError('memory_settled', {
        what: `Entry ${entry.number} with this slug was ${entry.status} before.`,
        hint: 'Give it another slug.',
        details: { number: entry.number, status: entry.status },
      });
    }
    return { ...shownEntry(entry), filed };
  },
});

/** The letters and digits of a title; a title without any needs a slug that is said. */
function slugFrom(title: string): string {
  const plain = title
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  return plain
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_CHARACTERS)
    .replace(/^-+|-+$/g, '');
}

const SLUG_CHARACTERS = 60;
