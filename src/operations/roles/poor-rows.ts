import { formationRecords } from '#core/playbooks/record.js';
import { poorRows, workScores } from '#core/playbooks/scored-work.js';
import type { PoorRow } from '#core/roles/audit.js';
import { graphIfAny } from '#operations/graph-if-any.js';
import type { Context } from '#operations/operation.js';

/** Rows with low scores from people and checks in consecutive runs; empty without formation runs. */
export async function poorRowsOf(context: Pick<Context, 'graph' | 'traceFiles'>): Promise<readonly PoorRow[]> {
  const view = await (await graphIfAny(context))?.view();
  const records = view === undefined ? [] : formationRecords(view);
  if (view === undefined || records.length === 0) return [];
  const evaluations = await (await context.traceFiles()).evaluations();
  return poorRows(view, records, workScores(evaluations.records, view));
}
