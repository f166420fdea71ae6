import { crewEntry, crewOutcomes, cutSeats } from '#core/playbooks/crew-log.js';
import type { FormationRecord } from '#core/playbooks/record.js';
import { CREW_WRITER } from '#core/roles/writers.js';
import type { WorkContext } from '#operations/contexts.js';
import { acceptSeats, keepOutcomes, type LaneRecord } from './lane-record.js';

/** Adds a row for each new role in the seats, without changing counts. */
export const mintTakenSeats = (context: WorkContext, record: FormationRecord): Promise<void> =>
  acceptSeats(context, CREW_WRITER, record, []);

/** Rows and log of crews. */
export const CREW_LANE: LaneRecord = {
  accept: (context, record) => acceptSeats(context, CREW_WRITER, record, cutSeats(record)),
  keep: async (context, view, record) => {
    await mintTakenSeats(context, record);
    await keepOutcomes(context, CREW_WRITER, record, crewOutcomes(view, record), (log, repository, rows) =>
      crewEntry(record, rows, repository, log),
    );
  },
};
