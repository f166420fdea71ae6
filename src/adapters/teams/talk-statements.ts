import { db, statement } from '#adapters/teams-database/building.js';
import { DELIVERABLE } from '#adapters/teams-database/message-fragments.js';
import type { WakeUp } from '#core/teams/talk.js';

export const STRATA = statement(({ team }: { team: string }) =>
  db
    .selectFrom('strata')
    .select(['team_id', 'version', 'state', 'plan_json', 'sha256', 'claim_fence', 'tries', 'created_at'])
    .where('team_id', '=', team)
    .orderBy('version'),
);

interface StrataValues {
  readonly teamId: string;
  readonly version: number;
  readonly state: string;
  readonly plan: string | null;
  readonly sha256: string | null;
  readonly claimFence: number | null;
  readonly tries: number;
  readonly createdAt: number;
}

export const KEEP_STRATA = statement((row: StrataValues) => {
  const changing = {
    state: row.state,
    plan_json: row.plan,
    sha256: row.sha256,
    claim_fence: row.claimFence,
    tries: row.tries,
  };
  return db
    .insertInto('strata')
    .values({ team_id: row.teamId, version: row.version, created_at: row.createdAt, ...changing })
    .onConflict((conflict) => conflict.columns(['team_id', 'version']).doUpdateSet(changing));
});

const messages = db.selectFrom('messages as m').innerJoin('mail as t', 't.message_id', 'm.id');

const MESSAGE = [
  ...(['m.id', 't.team_id', 'm.seq', 'm.sender', 'm.sender_name', 'm.speaks_for', 't.position', 'm.type'] as const),
  ...(['m.body', 'm.thread_id', 'm.reply_to', 't.task_id', 't.origin', 't.depth', 'm.created_at'] as const),
] as const;

/** Base query for recipients of messages. */
const recipients = db
  .selectFrom('recipients')
  .select(['message_id', 'member', 'role', 'read_at'])
  .orderBy('message_id')
  .orderBy((eb) => eb('role', '=', 'cc'))
  .orderBy('member');

export const MESSAGE_BY_ID = statement(({ id }: { id: string }) => messages.select(MESSAGE).where('m.id', '=', id));
export const RECIPIENTS_OF_MESSAGE = statement(({ id }: { id: string }) => recipients.where('message_id', '=', id));

interface PageValues {
  readonly conversation: string;
  readonly limit: number;
}

const page = ({ conversation, limit }: PageValues) =>
  messages.where('m.conversation_id', '=', conversation).where(DELIVERABLE).limit(limit);

/** Newest first. */
const latest = (values: PageValues) => page(values).orderBy('m.seq', 'desc');
const after = (values: PageValues & { readonly after: number }) =>
  page(values).where('m.seq', '>', values.after).orderBy('m.seq');
/** Messages to one member, newest first. */
const forMember = (values: PageValues & { readonly member: string }) =>
  latest(values).innerJoin('recipients as r', (join) =>
    join.onRef('r.message_id', '=', 'm.id').on('r.member', '=', values.member),
  );

export const LATEST_CHAT = statement((values: PageValues) => latest(values).select(MESSAGE));
export const RECIPIENTS_OF_LATEST_CHAT = statement((values: PageValues) =>
  recipients.where('message_id', 'in', latest(values).select('m.id')),
);

export const CHAT_AFTER = statement((values: Parameters<typeof after>[0]) => after(values).select(MESSAGE));
export const RECIPIENTS_OF_CHAT_AFTER = statement((values: Parameters<typeof after>[0]) =>
  recipients.where('message_id', 'in', after(values).select('m.id')),
);

export const MEMBER_MAIL = statement((values: Parameters<typeof forMember>[0]) => forMember(values).select(MESSAGE));
export const RECIPIENTS_OF_MEMBER_MAIL = statement((values: Parameters<typeof forMember>[0]) =>
  recipients.where('message_id', 'in', forMember(values).select('m.id')),
);

export const THREAD_LENGTH = statement(({ thread }: { thread: string }) =>
  db
    .selectFrom('messages')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('thread_id', '=', thread),
);

interface ConversationValues {
  readonly id: string;
  readonly team: string;
  readonly initiator: string;
  readonly createdAt: number;
}

/** Creates the single conversation of a team if it does not exist. */
export const BEGIN_CONVERSATION = statement((one: ConversationValues) =>
  db
    .insertInto('conversations')
    .values({
      id: one.id,
      team_id: one.team,
      initiator: one.initiator,
      recipient: one.id,
      state: 'active',
      created_at: one.createdAt,
    })
    .onConflict((conflict) => conflict.column('id').doNothing()),
);

interface MailValues {
  readonly message: string;
  readonly team: string;
  readonly position: string | null;
  readonly task: string | null;
  readonly origin: string;
  readonly depth: number;
}

export const ADD_MAIL = statement((row: MailValues) =>
  db.insertInto('mail').values({
    message_id: row.message,
    team_id: row.team,
    position: row.position,
    task_id: row.task,
    origin: row.origin,
    depth: row.depth,
  }),
);

interface RecipientValues {
  readonly message: string;
  readonly member: string;
  readonly role: string;
  readonly readAt: number | null;
}

export const ADD_RECIPIENT = statement((row: RecipientValues) =>
  db
    .insertInto('recipients')
    .values({ message_id: row.message, member: row.member, role: row.role, read_at: row.readAt }),
);

interface ReadValues {
  readonly conversation: string;
  readonly member: string;
  readonly until: number;
  readonly at: number;
}

export const READ_UNTIL = statement(({ conversation, member, until, at }: ReadValues) =>
  db
    .updateTable('recipients')
    .set({ read_at: at })
    .where('member', '=', member)
    .where('message_id', 'in', (eb) =>
      eb
        .selectFrom('messages as m')
        .innerJoin('recipients as r', 'r.message_id', 'm.id')
        .select('m.id')
        .where('r.member', '=', member)
        .where('r.read_at', 'is', null)
        .where('m.conversation_id', '=', conversation)
        .where('m.created_at', '<=', until),
    ),
);

const wakeUps = db
  .selectFrom('wake_ups')
  .select(['task_id', 'team_id', 'member', 'origin', 'depth', 'cause', 'created_at']);

export const WAKE_UP = statement(({ task }: { task: string }) => wakeUps.where('task_id', '=', task));

/** Newest first. */
export const WAKE_UPS = statement((values: { team: string; member: string; limit: number }) =>
  wakeUps
    .where('team_id', '=', values.team)
    .where('member', '=', values.member)
    .orderBy('rowid', 'desc')
    .limit(values.limit),
);

const wakeUpCount = db.selectFrom('wake_ups').select((eb) => eb.fn.countAll<number>().as('count'));

export const WAKE_UPS_OF = statement(({ origin }: { origin: string }) => wakeUpCount.where('origin', '=', origin));
export const WAKE_UPS_BY = statement(({ cause }: { cause: string }) => wakeUpCount.where('cause', '=', cause));

export const ADD_WAKE_UP = statement((one: WakeUp) =>
  db.insertInto('wake_ups').values({
    task_id: one.task,
    team_id: one.teamId,
    member: one.member,
    origin: one.origin,
    depth: one.depth,
    cause: one.cause,
    created_at: one.createdAt,
  }),
);

export const TEAM_IN_USE = statement(({ person }: { person: string }) =>
  db.selectFrom('teams_in_use').select('team_id').where('person', '=', person),
);

export const USE_TEAM = statement(({ person, team }: { person: string; team: string }) =>
  db
    .insertInto('teams_in_use')
    .values({ person, team_id: team })
    .onConflict((conflict) => conflict.column('person').doUpdateSet({ team_id: team })),
);
