import type { Statements, Value } from '#adapters/teams-database/statement.js';

/** A statement from SQL text, for writes that no store makes. Values replace its question marks. */
export function* plain<Row = Readonly<Record<string, unknown>>>(
  sql: string,
  ...values: Value[]
): Statements<readonly Row[]> {
  const rows = yield { text: sql.split('?'), answers: /^(select|pragma)/i.test(sql), values };
  return rows as readonly Row[];
}
