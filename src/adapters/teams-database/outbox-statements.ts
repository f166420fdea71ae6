import { sql } from 'kysely';
import { db, statement } from './building.js';

export const ADD_OUTBOX = statement((row: { id: string; op: string; args: string; at: number }) =>
  db
    .insertInto('outbox')
    .values({ id: row.id, op: row.op, args_json: row.args, state: 'todo', created_at: row.at })
    .onConflict((conflict) => conflict.column('id').doNothing()),
);

/** The unary plus prevents ordering by a scan of the table, so the index of pending rows is used. */
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
