import { type PostgresDatabase, type SqlQueries, withDatabase } from '#adapters/postgres/database.js';
import { presentHead } from '#adapters/postgres/head.js';
import { WriterTurn } from '#adapters/postgres/turn.js';
import { isAsWritten } from '#core/graph/entries.js';
import { graphText } from '#core/graph/line.js';
import { GraphState } from '#core/graph/state.js';
import { isRefusal, TroupeError } from '#kernel/errors.js';
import type { GraphDoctor, GraphFinding } from '#ports/graph-store.js';
import { attemptFindings } from './attempt-findings.js';
import { stateFrom } from './database-state.js';
import { entryOf, logRows } from './event-rows.js';
import { type KeptBase, keepBase, latestBase } from './snapshot-rows.js';

const RESTORE = 'Restore the database from a backup.';
const REBUILD = 'Run `troupe doctor --rebuild graph`: it is made again from the log.';

interface Replayed {
  readonly state: GraphState;
  readonly lastId: string | undefined;
  readonly findings: readonly GraphFinding[];
}

/** Maintains the graph in a database: checks the chain of its log and its snapshots. */
export class PostgresDoctor implements GraphDoctor {
  private readonly open: () => Promise<PostgresDatabase>;

  constructor(open: () => Promise<PostgresDatabase>) {
    this.open = open;
  }

  async examine(): Promise<readonly GraphFinding[]> {
    // Uses one transaction snapshot because a leader may write meanwhile.
    return await withDatabase(this.open, (database) =>
      database.snapshot(async (queries) => {
        const head = await presentHead(queries, database.clock);
        const base = await presentBase(queries);
        const replayed = await replay(queries, base.kept);
        const findings = [...base.findings, ...replayed.findings, ...(await attemptFindings(queries, head))];
        if (replayed.state.seq === head.seq && replayed.lastId === (head.last_id ?? undefined)) return findings;
        const text = `The head of the log names entry ${head.seq}, and the last one is ${replayed.state.seq}.`;
        return [...findings, finding('head_differs', text, 'Run `troupe doctor --repair`.', true)];
      }),
    );
  }

  async repair(): Promise<readonly string[]> {
    return await withDatabase(this.open, (database) =>
      new WriterTurn(database).take(async (queries, head) => {
        const { rows } = await queries.query<{ seq: number; line: string }>(
          'SELECT seq, line FROM events ORDER BY seq DESC LIMIT 1',
        );
        const [last] = rows.map(entryOf);
        if (last === undefined || (last.seq === head.seq && last.id === head.last_id)) return [];
        await queries.query('UPDATE head SET seq = $1, last_id = $2', [last.seq, last.id]);
        return [`Set the head of the log to its last entry, ${last.seq}.`];
      }),
    );
  }

  async rebuild(): Promise<readonly string[]> {
    return await withDatabase(this.open, (database) =>
      new WriterTurn(database).take(async (queries) => {
        const { state, lastId, findings } = await replay(queries, undefined);
        const [broken] = findings;
        if (broken) throw new TroupeError('corrupt', { what: broken.text, hint: broken.remedy });
        await queries.query('DELETE FROM snapshots');
        await keepBase(queries, state, lastId);
        return ['Made the snapshot of the graph again from the log.'];
      }),
    );
  }

  async mergeFiles(): Promise<never> {
    throw new TroupeError('project_elsewhere', {
      what: 'The graph of this project is in a database: git has no file of it to merge.',
      hint: 'Remove the line of graph.jsonl from .gitattributes.',
    });
  }
}

async function presentBase(
  queries: SqlQueries,
): Promise<{ kept: KeptBase | undefined; findings: readonly GraphFinding[] }> {
  try {
    return { kept: await latestBase(queries), findings: [] };
  } catch (error) {
    if (!isRefusal(error, 'data_corrupt')) throw error;
    return { kept: undefined, findings: [finding('snapshot_damaged', error.message, REBUILD, false)] };
  }
}

/** Replays the whole log, compares it with a snapshot on the way, and reports faults in its chain. */
async function replay(queries: SqlQueries, base: KeptBase | undefined): Promise<Replayed> {
  const state = new GraphState();
  const findings: GraphFinding[] = [];
  let lastId: string | undefined;
  for await (const rows of logRows(queries, 1, Number.POSITIVE_INFINITY)) {
    for (const row of rows) {
      const entry = entryOf(row);
      if (entry.seq !== state.seq + 1)
        findings.push(finding('log_gap', `Entries ${state.seq + 1} to ${entry.seq - 1} are missing.`, RESTORE, false));
      else if (entry.prev !== lastId)
        findings.push(finding('log_differs', `Entry ${entry.seq} does not follow the one before it.`, RESTORE, false));
      if (!isAsWritten(row.line, entry.id))
        findings.push(finding('log_edited', `Entry ${entry.seq} was changed after it was written.`, RESTORE, false));
      state.apply(entry);
      lastId = entry.id;
      if (base?.seq === entry.seq && graphText(state.nodes(), [], []) !== graphText(stateFrom(base).nodes(), [], []))
        findings.push(
          finding('log_differs', `Replaying the log does not match the snapshot of entry ${base.seq}.`, REBUILD, false),
        );
    }
  }
  return { state, lastId, findings };
}

function finding(code: string, text: string, remedy: string, repairable: boolean): GraphFinding {
  return { severity: 'error', code, text, remedy, repairable };
}
