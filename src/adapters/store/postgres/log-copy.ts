import type { PostgresDatabase, SqlQueries } from '#adapters/postgres/database.js';
import type { EntryLine } from '#core/graph/entries.js';
import { TroupeError } from '#kernel/errors.js';
import { parseLine } from '../log-line.js';
import { entryOf, foreignLines, insertEvents, logRows, requestIn } from './event-rows.js';

/** Maximum lines of a received log inserted in one statement. */
const LINES_AT_ONCE = 2_000;

/** Yields another tool's history, then the log, one line an entry. Errors: `corrupt` if an entry is missing. */
export async function* logRowLines(database: PostgresDatabase): AsyncIterable<string> {
  yield* await foreignLines(database);
  let [seq, id]: [number, string | undefined] = [0, undefined];
  for await (const rows of logRows(database, 1, Number.POSITIVE_INFINITY)) {
    for (const row of rows) {
      const entry = entryOf(row);
      if (entry.seq !== seq + 1 || entry.prev !== id)
        throw new TroupeError('corrupt', {
          what: `The log in the database has no entry after ${seq} that follows it.`,
        });
      [seq, id] = [entry.seq, entry.id];
      yield row.line;
    }
  }
}

/** Creates the log from the lines of another store, within the transaction that fills the tables. Errors: `corrupt`. */
export async function receiveLogRows(queries: SqlQueries, lines: AsyncIterable<string>): Promise<void> {
  const log = new IncomingLog(queries);
  for await (const line of lines) await log.take(line);
  await log.end();
}

/** Packs the graph of a received log, so readers need not read all of it. Closes the connection. */
export async function packReceived(database: PostgresDatabase): Promise<void> {
  const { PostgresStore } = await import('./postgres-store.js');
  const store = await PostgresStore.open({ database });
  await store.files.snapshot().catch(() => undefined); // the log is complete: a later commit packs it
  await store.close();
}

/** Inserts lines into the tables in batches of some thousand. */
class IncomingLog {
  private readonly queries: SqlQueries;
  private waiting: EntryLine[] = [];
  private foreign = 0;
  private last: { readonly seq: number; readonly id: string | undefined } = { seq: 0, id: undefined };

  constructor(queries: SqlQueries) {
    this.queries = queries;
  }

  async take(line: string): Promise<void> {
    const { entry, problem } = parseLine(line);
    if (entry === undefined) {
      if (problem !== undefined)
        throw new TroupeError('corrupt', { what: `A line of the log cannot be read: ${problem}.` });
      await this.queries.query('INSERT INTO foreign_lines (position, line) VALUES ($1, $2)', [++this.foreign, line]);
      return;
    }
    if (entry.seq !== this.last.seq + 1 || entry.prev !== this.last.id)
      throw new TroupeError('corrupt', { what: `The log has no entry after ${this.last.seq} that follows it.` });
    this.last = { seq: entry.seq, id: entry.id };
    this.waiting.push({ entry, line });
    if (this.waiting.length >= LINES_AT_ONCE) await this.write();
  }

  async end(): Promise<void> {
    await this.write();
    await this.queries.query('UPDATE head SET seq = $1, last_id = $2', [this.last.seq, this.last.id]);
  }

  /** Inserts the batch. If a request id was answered more than once, it is kept only for the latest answer. */
  private async write(): Promise<void> {
    const lines = this.waiting;
    this.waiting = [];
    const ids = lines.flatMap(({ entry }) => requestIn(entry)?.id ?? []);
    await this.queries.query('UPDATE events SET request_id = NULL, request_input = NULL WHERE request_id = ANY($1)', [
      ids,
    ]);
    await insertEvents(this.queries, lines);
  }
}
