import type { Entry } from '#core/graph/event.js';
import { logIdentity, logSize, readLog } from './log-file.js';
import { readAcross } from './log-pieces.js';
import type { StorePaths } from './paths.js';

/**
 * Entries from `from` on, each once and in order, past and to come. Reads on where it stopped; when the log was cut
 * meanwhile, what it missed is read from the pieces. `news` waits until there may be more; `over` ends it.
 */
export async function* followLog(
  paths: StorePaths,
  from: number,
  news: () => Promise<void>,
  over: () => boolean,
): AsyncIterable<Entry> {
  let next = Math.max(1, from);
  let offset = 0;
  let identity = '';
  while (!over()) {
    const present = logIdentity(paths.log);
    if (present !== identity || logSize(paths.log) < offset) offset = 0;
    identity = present;
    const reading = readLog(paths.log, offset);
    offset = reading.end;
    for (const entry of reading.entries) {
      if (entry.seq > next) {
        for (const missed of readAcross(paths, next, entry.seq - 1)) {
          for (const earlier of missed) {
            if (over()) return;
            yield earlier;
            next = earlier.seq + 1;
          }
        }
      }
      if (entry.seq < next) continue;
      if (over()) return;
      yield entry;
      next = entry.seq + 1;
    }
    if (reading.entries.length === 0) await news();
  }
}
