import type { SqlQueries } from '#adapters/postgres/database.js';
import type { Head } from '#adapters/postgres/head.js';
import { plural } from '#kernel/text.js';
import type { GraphFinding } from '#ports/graph-store.js';

const GAPS = `SELECT DISTINCT run FROM (
    SELECT run, position, lag(position + size, 1, 0::bigint) OVER (PARTITION BY run, of ORDER BY position) AS ends
    FROM run_pieces) pieces
  WHERE position <> ends ORDER BY run LIMIT 10`;

/** Reports gaps in the output of attempts, and attempts at workers that wait for a leader. */
export async function attemptFindings(queries: SqlQueries, { lease }: Pick<Head, 'lease'>): Promise<GraphFinding[]> {
  const gaps = await queries.query<{ run: string }>(GAPS);
  const findings = gaps.rows.map(({ run }) =>
    warning('run_output_gap', `Part of what ${run} printed is missing.`, 'Restore the database from a backup.'),
  );
  if (lease !== null) return findings;
  const { rows } = await queries.query<{ open: number }>(
    "SELECT count(*) AS open FROM attempts WHERE state IN ('offered', 'running', 'ended')",
  );
  const open = rows[0]?.open ?? 0;
  if (open === 0) return findings;
  const text = `${plural(open, 'attempt')} at workers ${open === 1 ? 'waits' : 'wait'} for a leader.`;
  return [...findings, warning('attempts_without_leader', text, 'Run `troupe service start`: it settles them.')];
}

function warning(code: string, text: string, remedy: string): GraphFinding {
  return { severity: 'warning', code, text, remedy, repairable: false };
}
