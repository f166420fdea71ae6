import type { Status } from '#core/graph/task.js';
import { runFolder } from '#core/playbooks/formation.js';
import { changesOf } from '#core/playbooks/line-up.js';
import { stepId } from '#core/playbooks/record.js';
import { logEntry } from '#core/playbooks/run-log.js';
import { PANEL_WRITER } from '#core/roles/writers.js';
import { acceptSeats, keepOutcomes, type LaneRecord } from './lane-record.js';

/** State of the steelman in a panel without a decision. */
function steelmanOf(status: Status | undefined): string {
  if (status === undefined) return 'n/a';
  return status === 'done' ? 'ran, no decision' : `not written, ${status}`;
}

/** Rows and log of panels. A panel with a decision gets its log entry from its last step; this covers the others. */
export const PANEL_LANE: LaneRecord = {
  accept: async (context, record) => {
    const { cut } = changesOf(record.defaults, record.seats);
    await acceptSeats(
      context,
      PANEL_WRITER,
      record,
      cut.map((name) => ({ name, result: 'cut' })),
    );
  },
  keep: async (context, view, record) => {
    const { run, goal, outcome = 'abandoned', notes } = record;
    const entry = logEntry(`${record.at.slice(0, 10)} — ${goal} (decision)`, {
      Steelman: steelmanOf(view.task(stepId(run, 'steelman'))?.status),
      Note: [run, outcome, runFolder('panel', run), ...notes],
    });
    await keepOutcomes(context, PANEL_WRITER, record, [], () => entry);
  },
};
