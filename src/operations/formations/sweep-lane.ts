import { runFolder } from '#core/playbooks/formation.js';
import { changesOf } from '#core/playbooks/line-up.js';
import { logEntry } from '#core/playbooks/run-log.js';
import { RESEARCH_WRITER } from '#core/roles/writers.js';
import { acceptSeats, keepOutcomes, type LaneRecord } from './lane-record.js';

/** Rows and log of sweeps. A sweep with a report gets its log entry from its last step; this covers the others. */
export const SWEEP_LANE: LaneRecord = {
  accept: async (context, record) => {
    const { cut } = changesOf(record.defaults, record.seats);
    await acceptSeats(
      context,
      RESEARCH_WRITER,
      record,
      cut.map((name) => ({ name, result: 'cut' })),
    );
  },
  keep: async (context, _view, record) => {
    const { run, goal, outcome = 'abandoned', notes } = record;
    const entry = logEntry(`${run}  ${record.at.slice(0, 10)}`, {
      question: goal,
      corpus: runFolder('sweep', run),
      steering: notes.filter((note) => note.startsWith('steering:')),
      outcome,
    });
    await keepOutcomes(context, RESEARCH_WRITER, record, [], () => entry);
  },
};
