import { crewEntry, crewOutcomes, cutSeats } from '#core/formations/crew-log.js';
import { CREW_WRITER } from '#core/lanes/writers.js';
import { acceptSeats, keepOutcomes, type LaneRecord } from './lane-record.js';

/** The rows of crews, and their log. A role that took over in a run that needed it gets its row at the end. */
export const CREW_LANE: LaneRecord = {
  accept: (context, record) => acceptSeats(context, CREW_WRITER, record, cutSeats(record)),
  keep: async (context, view, record) => {
    await acceptSeats(context, CREW_WRITER, record, []);
    await keepOutcomes(context, CREW_WRITER, record, crewOutcomes(view, record), (log, repository, rows) =>
      crewEntry(record, rows, repository, log),
    );
  },
};
