import { TroupeError } from '#kernel/errors.js';
import type { KeptRow } from '#ports/storage.js';
import type { Columns } from './columns.js';
import type { Statements, Value } from './statement.js';

/** `placed`: insertion order, which is not part of the data. `numbered`: by a number that is. */
type Order = 'placed' | { readonly numbered: string } | { readonly by: readonly string[] };

/** Every table with its row order. Tables follow those they refer to. */
const TABLES: { readonly [Table in keyof Columns]: Order } = {
  teams: { by: ['id'] },
  members: { by: ['id'] },
  conversations: 'placed',
  messages: 'placed',
  recipients: { by: ['message_id', 'member'] },
  cursors: { by: ['recipient', 'conversation_id'] },
  mail: { by: ['message_id'] },
  team_events: { numbered: 'seq' },
  strata: { by: ['team_id', 'version'] },
  wake_ups: 'placed',
  sessions: 'placed',
  participants: { by: ['session_id', 'place'] },
  turns: { by: ['session_id', 'n'] },
  teams_in_use: { by: ['person'] },
  artifacts: 'placed',
  graph_cursor: { by: ['one'] },
  inbox_entries: { numbered: 'number' },
  ledger_files: { by: ['place', 'sha256'] },
  waiting_lines: { numbered: 'number' },
  outbox: 'placed',
  requests: { by: ['id'] },
};

/** Maximum rows per statement. */
const ROWS_AT_ONCE = 200;
const COLUMN = /^[a-z_0-9]+$/;

/** Yields every row of every table, page by page. Nothing may be written between the calls of `read`. */
export async function* keptRows(
  read: (work: () => Statements<readonly KeptRow[]>) => Promise<readonly KeptRow[]>,
): AsyncIterable<KeptRow> {
  for (const [table, order] of Object.entries(TABLES)) {
    let [from, rows]: [number, readonly KeptRow[]] = [0, []];
    do {
      rows = await read(() => page(table, order, from));
      yield* rows;
      from += rows.length;
    } while (rows.length === ROWS_AT_ONCE);
  }
}

function* page(table: string, order: Order, from: number): Statements<readonly KeptRow[]> {
  const sql = `SELECT * FROM ${table} ORDER BY ${orderOf(order)} LIMIT ${ROWS_AT_ONCE} OFFSET `;
  const rows = yield { text: [sql, ''], answers: true, values: [from] };
  return rows.map((row) => ({ table, values: withoutPlace(row as KeptRow['values']) }));
}

/** Empties all tables, dependent ones first. */
export function* emptied(): Statements<void> {
  for (const table of Object.keys(TABLES).reverse())
    yield { text: [`DELETE FROM ${table}`], answers: false, values: [] };
}

/** Inserts rows of one table. `given`: SQL clause for explicit numbers in identity columns. */
export function* receivedRows(rows: readonly KeptRow[], given: '' | 'OVERRIDING SYSTEM VALUE'): Statements<void> {
  const [first] = rows;
  if (first === undefined) return;
  const { table } = first;
  const names = Object.keys(first.values);
  if (!Object.hasOwn(TABLES, table) || !names.every((name) => COLUMN.test(name)))
    throw new TroupeError('data_corrupt', { what: 'A row is of no table that this version knows.' });
  const values: Value[] = rows.flatMap((row) => names.map((name) => row.values[name] ?? null));
  const between = values.slice(1).map((_, at) => ((at + 1) % names.length === 0 ? '), (' : ', '));
  yield {
    text: [`INSERT INTO ${table} (${names.join(', ')}) ${given} VALUES (`, ...between, ')'],
    answers: false,
    values,
  };
}

/** Groups incoming rows by table. */
export async function* inGroups(rows: AsyncIterable<KeptRow>): AsyncIterable<readonly KeptRow[]> {
  let group: KeptRow[] = [];
  for await (const row of rows) {
    const [first = row] = group;
    if (group.length >= ROWS_AT_ONCE || first.table !== row.table) {
      yield group;
      group = [];
    }
    group.push(row);
  }
  if (group.length > 0) yield group;
}

/** Advances PostgreSQL's sequences past the explicitly inserted numbers. */
export function* renumbered(): Statements<void> {
  for (const [table, order] of Object.entries(TABLES)) {
    if (typeof order === 'string' || !('numbered' in order)) continue;
    const { numbered: column } = order;
    const sql = `SELECT setval(pg_get_serial_sequence('${table}', '${column}'), max(${column})) FROM ${table}`;
    yield { text: [sql], answers: true, values: [] };
  }
}

function orderOf(order: Order): string {
  if (order === 'placed') return 'rowid';
  return 'numbered' in order ? order.numbered : order.by.join(', ');
}

/** Removes the row id, which differs between databases. */
function withoutPlace({ rowid: _place, ...values }: KeptRow['values']): KeptRow['values'] {
  return values;
}
