import { TroupeError } from '#kernel/errors.js';
import type { KeptRow } from '#ports/storage.js';
import type { Columns } from './columns.js';
import type { Statements, Value } from './statement.js';

/** `placed`: rows have an order of their own, which is no part of what they say. `numbered`: their number is. */
type Order = 'placed' | { readonly numbered: string } | { readonly by: readonly string[] };

/** Every table and the order of its rows. A row comes after those that it refers to. */
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

/** Read in one statement, and written in one. */
const ROWS_AT_ONCE = 200;
const COLUMN = /^[a-z_0-9]+$/;

/** Every row of every table, by looks of `read`, between which nobody may write. */
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

/** Empties all tables, those first whose rows refer to others. */
export function* emptied(): Statements<void> {
  for (const table of Object.keys(TABLES).reverse())
    yield { text: [`DELETE FROM ${table}`], answers: false, values: [] };
}

/** Puts rows of one table into it. `given`: says that numbers are given and not made. */
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

/** Rows that come in, in groups of one table. */
export async function* inGroups(rows: AsyncIterable<KeptRow>): AsyncIterable<readonly KeptRow[]> {
  let group: KeptRow[] = [];
  for await (const row of rows) {
    if (group.length >= ROWS_AT_ONCE || (group[0] !== undefined && group[0].table !== row.table)) {
      yield group;
      group = [];
    }
    group.push(row);
  }
  if (group.length > 0) yield group;
}

/** After rows whose numbers were given: those that PostgreSQL gives go on behind them. */
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

/** The place of a row is another one in each database. */
function withoutPlace({ rowid: _place, ...values }: KeptRow['values']): KeptRow['values'] {
  return values;
}
