import * as z from 'zod/mini';
import { recordNamed } from '#core/casting/member-change.js';
import { folderSlug } from '#core/catalog/member-slug.js';
import { checkFence } from '#core/graph/moves.js';
import { taskOf } from '#core/graph/task-of.js';
import { checkedEntry } from '#core/squad/inbox-file.js';
import { checkedText, ENTRY_STATUSES, ENTRY_TYPES } from '#core/squad/memory.js';
import { mergeEntry, outcomeIn } from '#core/squad/memory-changes.js';
import { FILED, refuseSettled } from '#core/squad/memory-entries.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { TeamContext, WorkContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { REASON } from '#operations/options.js';
import { INBOX_PATH } from '#operations/resource-paths.js';
import { moverOf, text } from '#operations/shapes.js';
import { callerName, storedText, unfit } from './memories.js';
import {
  decisionRow,
  entryRow,
  entryShape,
  fitting,
  limit,
  memoryRow,
  rowNumber,
  settledShape,
} from './memory-shapes.js';
import { changeMemory, memoryNow, settleMerged } from './shared-memory.js';

/** Proposes an entry on behalf of a member. A pending entry with the same slug is replaced. */
export const inboxAdd = operation({
  name: 'inbox.add',
  command: 'decision propose',
  group: 'Memory',
  kind: 'write',
  forRuns: 'any',
  scope: 'member',
  graphless: true,
  instead: 'decision add --propose',
  summary: 'Propose a decision or memory on behalf of a member',
  examples: [
    'troupe decision add Neo "Keep the parser pure" --propose --type architectural',
    'troupe decision add trinity "Name tests after what holds" --propose --type pattern --text "A reader then knows what broke."',
  ],
  resource: [
    {
      method: 'POST',
      path: INBOX_PATH,
      summary: 'Proposes a decision.',
      status: 201,
      fields: ['agent', 'title', 'slug', 'type', 'content', 'rationale'],
    },
  ],
  input: z.strictObject({
    agent: argument('The name of the member', z.string()),
    title: argument('The proposal in one line', z.string()),
    type: option(
      'What it is (default: process): architectural, scope, process, pattern, learning, update',
      z.optional(z.enum(ENTRY_TYPES)),
      { value: 'WORD' },
    ),
    content: option('The text, as Markdown', text, { flag: 'text', value: 'TEXT' }),
    rationale: REASON,
    slug: option('Its short name (default: from the title)', text, { value: 'WORD' }),
  }),
  output: z.extend(entryShape, { filed: z.enum(FILED) }),
  async run(context: WorkContext, { agent, title, slug, type, content = '', rationale = '' }) {
    const member = await speakerMember(context, agent);
    const draft = {
      agent: member,
      slug: slug ?? slugFrom(title),
      type: type ?? 'process',
      title,
      content,
      rationale,
    };
    const checked = checkedEntry(draft);
    if ('reason' in checked) throw unfit(checked.reason);
    const author = { created_by: callerName(context), created_at: context.clock.now() };
    const { entry, filed } = await (await context.teamInbox()).file({ ...checked.entry, ...author });
    if (filed === 'settled') {
      throw new TroupeError('memory_settled', {
        what: `An entry with this slug was already ${entry.status}: ${entry.number}.`,
        hint: 'Give it another slug.',
        details: { number: entry.number, status: entry.status },
      });
    }
    return { ...entryRow(entry), filed };
  },
});

/** Derives a slug from the letters and digits of a title; a title without any requires an explicit slug. */
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

/** Lists proposed entries: the pending ones, or those of another status. */
export const inboxList = operation({
  name: 'inbox.list',
  command: 'decision inbox',
  group: 'Memory',
  kind: 'read',
  graphless: true,
  summary: 'List the proposals in the inbox',
  examples: ['troupe decision inbox', 'troupe decision inbox --status rejected'],
  resource: [
    {
      method: 'GET',
      path: INBOX_PATH,
      summary: 'The inbox: proposed decisions and memories.',
      fields: ['limit', 'status'],
    },
  ],
  input: z.strictObject({
    status: option(
      'Entries of this status (default: pending): pending, merged, rejected, all',
      z.optional(z.enum([...ENTRY_STATUSES, 'all'])),
      { value: 'WORD' },
    ),
    limit: option('Only the latest N', limit, { value: 'N' }),
  }),
  output: z.object({ entries: z.array(entryShape) }),
  async run(context: TeamContext, { status = 'pending', limit: most }) {
    const inbox = await context.teamInbox();
    const filter = status === 'all' ? undefined : status;
    await settleMerged(inbox, await memoryNow(context));
    const rows = await inbox.entries({ status: filter, limit: most ?? TEAM_LIMITS.memoryRowsListed });
    return { entries: fitting(rows.map(entryRow)) };
  },
});

/** Accepts an entry: it becomes a decision, or a memory of its proposer. */
export const inboxMerge = operation({
  name: 'inbox.merge',
  command: 'decision merge',
  group: 'Memory',
  kind: 'write',
  graphless: true,
  instead: 'decision inbox --merge',
  summary: 'Accept a proposal from the inbox',
  examples: ['troupe decision inbox 4 --merge', 'troupe decision inbox 12 --merge --json'],
  resource: [
    {
      method: 'POST',
      path: `${INBOX_PATH}/:number/merge`,
      summary: 'Accepts an entry of the inbox.',
      params: ['number'],
      numbers: ['number'],
    },
  ],
  input: z.strictObject({ number: argument('Its number', rowNumber) }),
  output: settledShape,
  async run(context: TeamContext, { number }) {
    const inbox = await context.teamInbox();
    const entry = await inbox.entry(number);
    refuseSettled(entry);
    const [by, at] = [callerName(context), context.clock.now()];
    const { after } = await changeMemory(context, (state) => mergeEntry(state, entry, by, at));
    // The memory is authoritative: after a crash here, the next caller settles the entry.
    await settleMerged(inbox, after);
    const outcome = outcomeIn(after, entry);
    return {
      entry: entryRow(await inbox.entry(number)),
      ...(outcome && 'decision' in outcome ? { decision: decisionRow(outcome.decision) } : {}),
      ...(outcome && 'memory' in outcome ? { memory: memoryRow(outcome.memory) } : {}),
    };
  },
});

/** Rejects an entry. It is kept, which prevents the same proposal from being made again. */
export const inboxReject = operation({
  name: 'inbox.reject',
  command: 'decision reject',
  group: 'Memory',
  kind: 'write',
  graphless: true,
  instead: 'decision inbox --reject',
  summary: 'Reject a proposal from the inbox',
  examples: ['troupe decision inbox 4 --reject', 'troupe decision inbox 5 --reject --reason "We tried that in May."'],
  resource: [
    {
      method: 'POST',
      path: `${INBOX_PATH}/:number/reject`,
      summary: 'Rejects an entry of the inbox.',
      params: ['number'],
      numbers: ['number'],
      fields: ['reason'],
    },
  ],
  input: z.strictObject({ number: argument('Its number', rowNumber), reason: REASON }),
  output: settledShape,
  async run(context: TeamContext, { number, reason: typedReason = '' }) {
    const reason = storedText('reason', checkedText('the reason', typedReason));
    const settlement = { status: 'rejected', by: callerName(context), at: context.clock.now() } as const;
    const outcome = reason === '' ? settlement : { ...settlement, reason };
    const inbox = await context.teamInbox();
    await settleMerged(inbox, await memoryNow(context));
    return { entry: entryRow(await inbox.settle(number, outcome)) };
  },
});

/**
 * Returns the slug of the member on whose behalf an entry is proposed. A person may act for any member; a run only for
 * the member its task belongs to, while it holds the task. Errors: `not_found`, `not_yours`, `stale_attempt`.
 */
async function speakerMember(context: WorkContext, name: string): Promise<string> {
  const { slug } = recordNamed(await (await context.squad()).read(), name);
  const { caller } = context;
  if (caller.kind === 'person') return slug;
  const view = await (await context.graph()).view();
  const task = taskOf(view, caller.taskId);
  checkFence(view, task, moverOf(context));
  if (task.member === undefined || folderSlug(task.member) !== slug)
    throw new TroupeError('not_yours', {
      what: 'A run may propose only for the member its task belongs to.',
    });
  return slug;
}
