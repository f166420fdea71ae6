import type { Entry } from '#core/graph/event.js';
import { isOneLine, mainLine } from '#core/history/log-history.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import { fileIdentity } from './disk.js';
import { logSize, readLog } from './log-file.js';
import { presentLine, readAcross } from './log-pieces.js';

/**
 * Yields the entries from `from` on, each once and in order, present and future. Continues at the last offset. After
 * the log was cut, missed entries are read from its segments. `onDisk` waits until what was written is on disk, `news` for
 * more entries; `over` ends the iteration.
 */
export async function* followLog(
  place: () => GraphLayout,
  from: number,
  onDisk: () => Promise<void>,
  news: () => Promise<void>,
  over: () => boolean,
): AsyncIterable<Entry> {
  let next = Math.max(1, from);
  let offset = 0;
  let identity = '';
  let last: Entry | undefined;
  for (await onDisk(); !over(); await onDisk()) {
    const paths = place();
    const present = fileIdentity(paths.log);
    if (present !== identity || logSize(paths.log) < offset) offset = 0;
    identity = present;
    const reading = readLog(paths.log, offset);
    // After a merge of branches, only the whole log shows which line counts.
    const together = offset > 0 && !isOneLine(reading.entries, last);
    const entries = together ? presentLine(paths) : offset > 0 ? reading.entries : mainLine(reading.entries);
    offset = reading.end;
    last = reading.entries.at(-1) ?? last;
    for (const entry of entries) {
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
