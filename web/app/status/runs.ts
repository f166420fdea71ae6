import type { ShownState } from '#core/graph/status-look.js';
import type { TracedRun } from '#surfaces/http/contract.js';

const ENDED: Readonly<Record<string, ShownState>> = { done: 'done', failed: 'failed', parked: 'waiting' };

/** State of a run, as that of a task. */
export function stateOfRun({ ended_at: ended, outcome = '' }: Pick<TracedRun, 'ended_at' | 'outcome'>): ShownState {
  return ended === undefined ? 'in-progress' : (ENDED[outcome] ?? 'abandoned');
}
