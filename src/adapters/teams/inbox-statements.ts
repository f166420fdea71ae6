import { db, statement } from '#adapters/teams-database/building.js';

const entries = db
  .selectFrom('inbox_entries')
  .select(['number', 'agent', 'slug', 'stored_slug', 'type', 'title', 'content', 'rationale', 'status'])
  .select(['created_by', 'created_at', 'settled_by', 'settled_at', 'reason']);

export const ENTRY = statement(({ number }: { number: number }) => entries.where('number', '=', number));

export const ENTRY_BY_SLUG = statement(({ agent, slug }: { agent: string; slug: string }) =>
  entries.where('agent', '=', agent).where('slug', '=', slug),
);

const latest = ({ limit }: { limit: number }) => entries.orderBy('number', 'desc').limit(limit);

/** Newest first. */
export const ENTRIES = statement(latest);

export const ENTRIES_OF_STATUS = statement((values: { status: string; limit: number }) =>
  latest(values).where('status', '=', values.status),
);

export const PENDING_COUNT = statement(() =>
  db
    .selectFrom('inbox_entries')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('status', '=', 'pending'),
);

export const STORED_SLUG = statement(({ slug }: { slug: string }) =>
  db.selectFrom('inbox_entries').select('number').where('stored_slug', '=', slug),
);

interface EntryText {
  readonly type: string;
  readonly title: string;
  readonly content: string;
  readonly rationale: string;
}

interface EntryValues extends EntryText {
  readonly agent: string;
  readonly slug: string;
  readonly stored_slug: string;
  readonly created_by: string;
  readonly created_at: number;
}

export const ADD_ENTRY = statement((entry: EntryValues) =>
  db
    .insertInto('inbox_entries')
    .values({
      agent: entry.agent,
      slug: entry.slug,
      stored_slug: entry.stored_slug,
      type: entry.type,
      title: entry.title,
      content: entry.content,
      rationale: entry.rationale,
      status: 'pending',
      created_by: entry.created_by,
      created_at: entry.created_at,
    })
    .returning('number'),
);

export const CHANGE_ENTRY = statement((entry: EntryText & { readonly number: number }) =>
  db
    .updateTable('inbox_entries')
    .set({ type: entry.type, title: entry.title, content: entry.content, rationale: entry.rationale })
    .where('number', '=', entry.number),
);

interface SettlementValues {
  readonly number: number;
  readonly status: string;
  readonly by: string;
  readonly at: number;
  readonly reason: string | null;
}

export const SETTLE_ENTRY = statement((one: SettlementValues) =>
  db
    .updateTable('inbox_entries')
    .set({ status: one.status, settled_by: one.by, settled_at: one.at, reason: one.reason })
    .where('number', '=', one.number),
);

interface MarkValues {
  readonly place: string;
  readonly sha256: string;
}

export const MARK = statement(({ place, sha256 }: MarkValues) =>
  db.selectFrom('ledger_files').select('place').where('place', '=', place).where('sha256', '=', sha256),
);

export const ADD_MARK = statement(({ place, sha256 }: MarkValues) =>
  db
    .insertInto('ledger_files')
    .values({ place, sha256 })
    .onConflict((conflict) => conflict.columns(['place', 'sha256']).doNothing()),
);

export const WAITING_LINES = statement(() => db.selectFrom('waiting_lines').select('line').orderBy('number'));

export const ADD_WAITING_LINE = statement(({ line }: { line: string }) =>
  db
    .insertInto('waiting_lines')
    .values({ line })
    .onConflict((conflict) => conflict.column('line').doNothing()),
);

export const RELEASE_LINE = statement(({ line }: { line: string }) =>
  db.deleteFrom('waiting_lines').where('line', '=', line),
);
