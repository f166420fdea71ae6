import type { Statements, Value } from '#adapters/teams-database/statement.js';

/** A statement by its words, for what no store would write. Values stand for its question marks. */
export function* plain<Row = Readonly<Record<string, unknown>>>(
  sql: string,
  ...values: Value[]
): Statements<readonly Row[]> {
  const rows = yield { text: sql.split('?'), answers: /^(select|pragma)/i.test(sql), values };
  return rows as readonly Row[];
}
