import { sql } from 'kysely';
import { db, statement } from './building.js';

export const ADD_OUTBOX = statement((row: { id: string; op: string; args: string; at: number }) =>
  db
    .insertInto('outbox')
    .values({ id: row.id, op: row.op, args_json: row.args, state: 'todo', created_at: row.at })
    .onConflict((conflict) => conflict.column('id').doNothing()),
);

/** With its sign, the place of a row is no order that a scan of the whole table would save to make: the index of what is to be done is read. */
export const PENDING = statement(({ limit }: { limit: number }) =>
  db
    .selectFrom('outbox')
    .select(['id', 'op', 'args_json'])
    .where('state', '=', 'todo')
    .orderBy(sql`+"rowid"`)
    .limit(limit),
);

export const SETTLE = statement(({ id, state }: { id: string; state: string }) =>
  db.updateTable('outbox').set({ state }).where('id', '=', id),
);
