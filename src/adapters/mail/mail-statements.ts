import { type ExpressionBuilder, sql } from 'kysely';
import { db, statement } from '#adapters/teams-database/building.js';
import type { Columns } from '#adapters/teams-database/columns.js';
import { DELIVERABLE, MESSAGE } from '#adapters/teams-database/message-fragments.js';
import type { Conversation } from '#core/mail/conversation.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';

/** A message as it is read: its sender's name, and the beginning of its text. */
const BEGINNING = sql<string>`"m"."sender_name" || ': ' || substr("m"."body", 1, ${sql.lit(TEAM_LIMITS.messageSearchedCharacters)})`;

const conversations = db
  .selectFrom('conversations')
  .select(['id', 'team_id', 'parent_id', 'initiator', 'recipient', 'kind', 'opened_by', 'task_id'])
  .select(['state', 'round', 'depth', 'turn', 'created_at']);

export const CONVERSATION = statement(({ id }: { id: string }) => conversations.where('id', '=', id));

export const WORK_OF_TASK = statement(({ task }: { task: string }) =>
  conversations.where('task_id', '=', task).where('kind', '=', 'work'),
);

/** Condition of the partial index on open conversations. */
const isOpen = (eb: ExpressionBuilder<Columns, 'conversations'>) =>
  eb.and([eb('kind', '<>', 'talk'), eb('state', 'in', ['pending', 'active', 'paused'])]);

const open = conversations.where(isOpen).orderBy('created_at').orderBy('rowid');

export const OPEN = statement(() => open);

export const OPENED_BY = statement(({ task }: { task: string }) => open.where('opened_by', '=', task));

const listed = ({ limit }: { limit: number }) =>
  conversations
    .where('kind', '<>', 'talk')
    .orderBy((eb) => eb('state', 'in', ['closed', 'withdrawn']))
    .orderBy('created_at', 'desc')
    .orderBy('rowid', 'desc')
    .limit(limit);

export const CONVERSATIONS = statement(listed);

export const CONVERSATIONS_OF = statement((values: { member: string; limit: number }) =>
  listed(values).where((eb) => eb.or([eb('initiator', '=', values.member), eb('recipient', '=', values.member)])),
);

export const LATEST_ROUND = statement(({ task }: { task: string }) =>
  db
    .selectFrom('conversations')
    .select((eb) => eb.fn.coalesce(eb.fn.max('round'), eb.lit(0)).as('count'))
    .where('opened_by', '=', task),
);

export const KEEP_CONVERSATION = statement((one: Conversation) =>
  db
    .insertInto('conversations')
    .values({
      id: one.id,
      team_id: one.teamId,
      parent_id: one.parentId,
      initiator: one.initiator,
      recipient: one.recipient,
      kind: one.kind,
      opened_by: one.openedBy,
      task_id: one.taskId,
      state: one.state,
      round: one.round,
      depth: one.depth,
      turn: one.turn,
      created_at: one.createdAt,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ state: one.state, turn: one.turn })),
);

export const TEAM_STATUS = statement(({ id }: { id: string }) =>
  db.selectFrom('teams').select('status').where('id', '=', id),
);

export const STORED_MESSAGE = statement(({ id }: { id: string }) =>
  db.selectFrom('messages').select(['conversation_id', 'seq', 'sender', 'body']).where('id', '=', id),
);

export const READERS = statement(({ id }: { id: string }) =>
  db.selectFrom('recipients').select('member').where('message_id', '=', id),
);

export const ADD_READER = statement((row: { message: string; member: string; task: string | null }) =>
  db.insertInto('recipients').values({ message_id: row.message, member: row.member, role: 'to', task_id: row.task }),
);

/** Joins in an order that uses the index of unread messages, regardless of table sizes. */
const unread = db
  .selectFrom('recipients as r')
  .crossJoin('messages as m')
  .crossJoin('conversations as c')
  .whereRef('m.id', '=', 'r.message_id')
  .whereRef('c.id', '=', 'm.conversation_id')
  .where('r.read_at', 'is', null)
  .where(DELIVERABLE);

const inbox = ({ member, limit }: { member: string; limit: number }) =>
  unread
    .select([...MESSAGE, 'm.type', 'c.kind'])
    .where('r.member', '=', member)
    .where('c.kind', '<>', 'talk')
    .orderBy('m.rowid')
    .limit(limit);

export const INBOX = statement(inbox);

export const INBOX_OF_TASK = statement((values: { member: string; task: string; limit: number }) =>
  inbox(values).where('r.task_id', '=', values.task),
);

/** Number of unread messages of a member, deliverable or not. */
export const UNREAD_ROWS = statement(({ member }: { member: string }) =>
  db
    .selectFrom('recipients')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('member', '=', member)
    .where('read_at', 'is', null),
);

/** Number of deliverable unread messages of a member. */
export const UNREAD_COUNT = statement(({ member }: { member: string }) =>
  db
    .selectFrom('recipients as r')
    .innerJoin('messages as m', 'm.id', 'r.message_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('r.member', '=', member)
    .where('r.read_at', 'is', null)
    .where(DELIVERABLE),
);

export const UNREAD_OF_TASKS = statement(() =>
  unread.select(['r.task_id', 'r.shown_to', 'm.type', 'm.seq', 'c.kind']).where('r.task_id', 'is not', null),
);

/** Number of awaited conversations per task. */
export const AWAITED_BY_TASKS = statement(() =>
  db
    .selectFrom('conversations')
    .select(['opened_by', (eb) => eb.fn.countAll<number>().as('open')])
    .where(isOpen)
    .where('kind', 'in', ['work', 'question'])
    .where('opened_by', 'is not', null)
    .groupBy('opened_by'),
);

const page = ({ conversation, limit }: { conversation: string; limit: number }) =>
  db
    .selectFrom('messages as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .select([...MESSAGE, 'm.type', 'c.kind'])
    .where('m.conversation_id', '=', conversation)
    .where(DELIVERABLE)
    .limit(limit);

export const LATEST_MESSAGES = statement((values: { conversation: string; limit: number }) =>
  page(values).orderBy('m.seq', 'desc'),
);

export const MESSAGES_AFTER = statement((values: { conversation: string; after: number; limit: number }) =>
  page(values).where('m.seq', '>', values.after).orderBy('m.seq'),
);

/** Searches the latest messages only, so that an old project stays quick. */
export const MESSAGES_WITH = statement(({ pattern, limit }: { pattern: string; limit: number }) =>
  db
    .selectFrom(
      db
        .selectFrom('messages as m')
        .select([...MESSAGE, 'm.rowid as place'])
        .orderBy('m.rowid', 'desc')
        .limit(sql.lit(TEAM_LIMITS.messagesSearched))
        .as('m'),
    )
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .leftJoin('teams as t', 't.id', 'c.team_id')
    .select([...MESSAGE, 'c.task_id', 't.name as team'])
    .where('c.kind', '=', 'talk')
    .where((eb) => eb.or([eb('c.task_id', 'is not', null), eb('t.name', 'is not', null)]))
    .where(DELIVERABLE)
    .where(sql<boolean>`lower(${BEGINNING}) like lower(${pattern}) escape '\\'`)
    .orderBy('m.place', 'desc')
    .limit(limit),
);

export const CURSOR = statement(({ reader, conversation }: { reader: string; conversation: string }) =>
  db
    .selectFrom('cursors')
    .select('last_seq')
    .where('recipient', '=', reader)
    .where('conversation_id', '=', conversation),
);

/** Advances a cursor, never backwards. */
export const MOVE_CURSOR = statement(({ reader, conversation, to }: CursorValues) =>
  db
    .insertInto('cursors')
    .values({ recipient: reader, conversation_id: conversation, last_seq: to })
    .onConflict((conflict) =>
      conflict
        .columns(['recipient', 'conversation_id'])
        .doUpdateSet({ last_seq: to })
        .where('cursors.last_seq', '<', to),
    ),
);

interface CursorValues {
  readonly reader: string;
  readonly conversation: string;
  readonly to: number;
}

export const READ_UP_TO = statement(({ reader, conversation, to, at }: CursorValues & { readonly at: number }) =>
  db
    .updateTable('recipients')
    .set({ read_at: at })
    .where('member', '=', reader)
    .where('read_at', 'is', null)
    .where('message_id', 'in', (eb) =>
      eb.selectFrom('messages').select('id').where('conversation_id', '=', conversation).where('seq', '<=', to),
    ),
);

export const SHOW = statement(({ task, fence, message }: { task: string; fence: number; message: string }) =>
  db.updateTable('recipients').set({ shown_to: fence }).where('task_id', '=', task).where('message_id', '=', message),
);

/** Highest message number shown to each reader in each conversation in this turn. */
export const SHOWN = statement(({ task, fence }: { task: string; fence: number }) =>
  db
    .selectFrom('recipients as r')
    .innerJoin('messages as m', 'm.id', 'r.message_id')
    .select(['r.member', 'm.conversation_id', (eb) => eb.fn.max('m.seq').as('seq')])
    .where('r.task_id', '=', task)
    .where('r.read_at', 'is', null)
    .where('r.shown_to', '=', fence)
    .groupBy(['r.member', 'm.conversation_id']),
);

/** Number of a talk's messages by its holder that no other has read, or by others that the holder has not read. */
const unreadTalk = (by: '=' | '<>', read: '=' | '<>') =>
  statement(({ conversation, holder }: { conversation: string; holder: string }) =>
    db
      .selectFrom('messages as m')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('m.conversation_id', '=', conversation)
      .where(DELIVERABLE)
      .where('m.speaks_for', by, holder)
      .where('m.seq', '>', (eb) =>
        eb
          .selectFrom('cursors')
          .select(({ fn, lit }) => fn.coalesce(fn.max('last_seq'), lit(0)).as('read'))
          .where('conversation_id', '=', conversation)
          .where('recipient', read, holder),
      ),
  );

export const UNREAD_BY_HOLDER = unreadTalk('=', '<>');
export const UNREAD_BY_OTHERS = unreadTalk('<>', '=');

/** Finds talks with unread messages, with one index lookup per conversation. */
const talksWithUnread = ({ most }: { most: number }) =>
  db
    .selectFrom('conversations as c')
    .select(['c.id', 'c.task_id', (eb) => readOfTalk(eb).as('read')])
    .where('c.kind', '=', 'talk')
    .where('c.task_id', 'is not', null)
    .where((eb) =>
      eb(
        eb
          .selectFrom('messages')
          .select(({ fn }) => fn.max('seq').as('last'))
          .whereRef('conversation_id', '=', 'c.id'),
        '>',
        readOfTalk(eb),
      ),
    )
    .orderBy('c.created_at')
    .orderBy('c.id')
    .limit(most);

const readOfTalk = (eb: ExpressionBuilder<Columns & { c: Columns['conversations'] }, 'c'>) =>
  eb.fn.coalesce(
    eb
      .selectFrom('cursors')
      .select('last_seq')
      .whereRef('conversation_id', '=', 'c.id')
      .where('recipient', '=', sql<string>`'task/' || ${eb.ref('c.task_id')}`),
    eb.lit(0),
  );

export const TALKS_WITH_UNREAD = statement(talksWithUnread);

export const TALK_WITH_UNREAD = statement((values: { task: string; most: number }) =>
  talksWithUnread(values).where('c.task_id', '=', values.task),
);

/** Newest first. */
export const UNREAD_MESSAGES = statement(
  (values: { conversation: string; after: number; reader: string; limit: number }) =>
    db
      .selectFrom('messages as m')
      .select(MESSAGE)
      .where('m.conversation_id', '=', values.conversation)
      .where('m.seq', '>', values.after)
      .where('m.speaks_for', '<>', values.reader)
      .where(DELIVERABLE)
      .orderBy('m.seq', 'desc')
      .limit(values.limit),
);

/** Quarantined messages of any conversation, and unread ones of all but talks. */
export const UNDELIVERED = statement(({ limit }: { limit: number }) =>
  db
    .selectFrom('messages as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .leftJoin('recipients as r', 'r.message_id', 'm.id')
    .select(['m.id', 'm.conversation_id', 'r.task_id', 'c.state', 'm.created_at'])
    .select((eb) => eb.fn.coalesce('r.member', 'c.recipient').as('member'))
    .select((eb) => eb.case().when(DELIVERABLE).then(0).else(1).end().as('quarantined'))
    .where((eb) =>
      eb.or([
        eb.not(DELIVERABLE),
        eb.and([eb('c.kind', '<>', 'talk'), eb('r.member', 'is not', null), eb('r.read_at', 'is', null)]),
      ]),
    )
    .orderBy('m.rowid')
    .limit(limit),
);
