import { OUTBOX_OPS, type OutboxRow, outboxRow } from '#core/mail/outbox.js';
import { parseJsonObject } from '#kernel/json.js';
import { ADD_OUTBOX, PENDING, SETTLE } from './outbox-statements.js';
import { perform, type Statements } from './statement.js';
import { corrupt, known } from './words.js';

/** Writes outbox rows within the transaction of their change. Each id is written once. */
export function* writeOutbox(rows: readonly OutboxRow[], at: number): Statements<void> {
  for (const { id, op, args } of rows) yield* perform(ADD_OUTBOX, { id, op, args: JSON.stringify(args), at });
}

/** Pending rows in the order of insertion, regardless of timestamps. */
export function* pendingOutbox(limit: number): Statements<readonly OutboxRow[]> {
  return (yield* perform(PENDING, { limit })).map(({ id, op, args_json: json }) => {
    const row = outboxRow(id, known(OUTBOX_OPS, op, 'outbox', id, 'op'), parseJsonObject(json));
    if (row === undefined) throw corrupt('outbox', id, 'args_json', json);
    return row;
  });
}

export function* settleOutbox(id: string, state: 'done' | 'refused'): Statements<void> {
  yield* perform(SETTLE, { id, state });
}
