import type { SqlQueries } from '#adapters/postgres/database.js';
import type { EntryLine } from '#core/graph/entries.js';
import type { Entry } from '#core/graph/event.js';
import { TroupeError } from '#kernel/errors.js';
import { isJsonObject } from '#kernel/json.js';
import { foreignEntry } from '../foreign-entry.js';
import { parseLine } from '../log-line.js';

/** Maximum rows of the log read in one statement. */
const ROWS_AT_ONCE = 5_000;

/** Stored log entry. */
export interface EventRow {
  readonly seq: number;
  readonly line: string;
}

const INSERT = `INSERT INTO events (seq, at, line, request_id, request_input)
  SELECT * FROM unnest($1::bigint[], $2::timestamptz[], $3::text[], $4::text[], $5::text[])`;

/** Appends entries and notifies once, since a notification locks the whole server. Requires the writer's turn. */
export async function appendEvents(queries: SqlQueries, lines: readonly EntryLine[]): Promise<void> {
  const last = lines.at(-1);
  if (last === undefined) return;
  await queries.query(
    `WITH appended AS (${INSERT}), moved AS (UPDATE head SET seq = $6, last_id = $7)
     SELECT pg_notify(current_schema(), '')`,
    [...columnsOf(lines), last.entry.seq, last.entry.id],
  );
}

/** Inserts the rows only, without moving the head. */
export async function insertEvents(queries: SqlQueries, lines: readonly EntryLine[]): Promise<void> {
  await queries.query(INSERT, columnsOf(lines));
}

/** Column values of the entries. Lines are stored without line ends, otherwise byte for byte. */
function columnsOf(lines: readonly EntryLine[]): readonly unknown[] {
  const requests = lines.map(({ entry }) => requestIn(entry));
  return [
    lines.map(({ entry }) => entry.seq),
    lines.map(({ entry }) => entry.timestamp),
    lines.map(({ line }) => line.replace(/\n$/, '')),
    requests.map((request) => request?.id),
    requests.map((request) => request?.input),
  ];
}

/** Yields the log lines with `seq` in [from, to], in order, in batches of some thousand. */
export async function* logRows(queries: SqlQueries, from: number, to: number): AsyncIterable<readonly EventRow[]> {
  const most = Number.isFinite(to) ? to : Number.MAX_SAFE_INTEGER;
  for (let next = from; next <= most; ) {
    const { rows } = await queries.query<EventRow>(
      'SELECT seq, line FROM events WHERE seq BETWEEN $1 AND $2 ORDER BY seq LIMIT $3',
      [next, most, ROWS_AT_ONCE],
    );
    yield rows;
    if (rows.length < ROWS_AT_ONCE) return;
    next = (rows.at(-1)?.seq ?? most) + 1;
  }
}

/** Yields the entries with `seq` in [from, to], in order, in batches. */
export async function* entriesBetween(queries: SqlQueries, from: number, to: number): AsyncIterable<readonly Entry[]> {
  for await (const rows of logRows(queries, from, to)) yield rows.map(entryOf);
}

/** History of another tool as entries with `seq` 0. */
export async function* foreignEntries(queries: SqlQueries): AsyncIterable<Entry> {
  let number = 0;
  for (const line of await foreignLines(queries)) {
    const entry = foreignEntry(line, number + 1);
    if (entry === undefined) continue;
    number++;
    yield entry;
  }
}

export async function foreignLines(queries: SqlQueries): Promise<string[]> {
  const { rows } = await queries.query<{ line: string }>('SELECT line FROM foreign_lines ORDER BY position');
  return rows.map(({ line }) => line);
}

/** Entries with these numbers, in order. */
export async function entriesAt(queries: SqlQueries, seqs: readonly number[]): Promise<readonly Entry[]> {
  if (seqs.length === 0) return [];
  const { rows } = await queries.query<EventRow>('SELECT seq, line FROM events WHERE seq = ANY($1) ORDER BY seq', [
    seqs,
  ]);
  return rows.map(entryOf);
}

/** Entries that answered these requests. */
export async function answeringEntries(queries: SqlQueries, requestIds: readonly string[]): Promise<readonly Entry[]> {
  const { rows } = await queries.query<EventRow>('SELECT seq, line FROM events WHERE request_id = ANY($1)', [
    requestIds,
  ]);
  return rows.map(entryOf);
}

/** `seq` of the last entry up to a time; 0 if all are later. */
export async function lastSeqUntil(queries: SqlQueries, moment: number): Promise<number> {
  const { rows } = await queries.query<{ seq: number }>(
    'SELECT seq FROM events WHERE at <= to_timestamp($1::float8 / 1000) ORDER BY seq DESC LIMIT 1',
    [moment],
  );
  return rows[0]?.seq ?? 0;
}

/** Parses a stored line. Only Troupe writes them. Errors: `data_corrupt` if it is not an entry. */
export function entryOf(row: EventRow): Entry {
  return parsedRow(row).entry;
}

/** Parses a stored line; `later` if only a later version understands it fully. Errors: `data_corrupt`. */
export function parsedRow({ seq, line }: EventRow): { readonly entry: Entry; readonly later: boolean } {
  const { entry, problem, later = false } = parseLine(line);
  if (entry?.seq === seq) return { entry, later };
  throw new TroupeError('data_corrupt', {
    what: `Entry ${seq} of the log in the database cannot be read: ${problem ?? 'it is another entry'}.`,
  });
}

interface KeptRequest {
  readonly id: string;
  readonly input?: string;
  readonly result: unknown;
}

/** Request that an entry answered, if any. */
export function requestIn(entry: Entry): KeptRequest | undefined {
  const request = entry.detail?.['request'];
  return isJsonObject(request) && typeof request['id'] === 'string' ? (request as unknown as KeptRequest) : undefined;
}
