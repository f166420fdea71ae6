import { OUTBOX_OPS, type OutboxRow, outboxRow } from '#core/mail/outbox.js';
import { parseJsonObject } from '#kernel/json.js';
import { corrupt, type Database } from './database.js';

/** Within the transaction of the change they belong to. By its id a row is written once. */
export function writeOutbox(database: Database, rows: readonly OutboxRow[], at: number): void {
  for (const { id, op, args } of rows)
    database.run(
      "INSERT INTO outbox VALUES (?, ?, ?, 'todo', ?) ON CONFLICT DO NOTHING",
      id,
      op,
      JSON.stringify(args),
      at,
    );
}

/** In the order in which they were written, whatever the clock said. */
export function pendingOutbox(database: Database, limit: number): OutboxRow[] {
  const sql = "SELECT id, op, args_json FROM outbox INDEXED BY outbox_todo WHERE state = 'todo' ORDER BY rowid LIMIT ?";
  return database.all(sql, limit).map(({ id, op: word, args_json: json }) => {
    const op = OUTBOX_OPS.find((candidate) => candidate === word);
    if (op === undefined) throw corrupt('outbox', id, 'op', word);
    const row = outboxRow(String(id), op, parseJsonObject(String(json)));
    if (row === undefined) throw corrupt('outbox', id, 'args_json', json);
    return row;
  });
}
