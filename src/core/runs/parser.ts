import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { ExecutorEvent, ProcessExit, Verdict } from './event.js';
import { errorEvent, type Reader } from './reader.js';

export interface Parser {
  /** Decoded output in chunks of any size; only complete lines are read. */
  feed(chunk: string): ExecutorEvent[];
  /** Called once, after the process has exited and all output was fed. A last line without a line end counts too. */
  end(exit: ProcessExit): Verdict;
}

/**
 * Splits chunks into lines for the reader. A line longer than `most` characters is dropped and reported, which bounds
 * the memory for output without line ends. The result does not depend on the chunk boundaries.
 */
export function parserOf(reader: Reader, most: number = TEAM_LIMITS.streamLineCharacters): Parser {
  let pending: string[] = [];
  let length = 0;
  let dropping = false;

  const take = (piece: string): ExecutorEvent[] => {
    if (dropping) return [];
    length += piece.length;
    if (length <= most) {
      if (piece !== '') pending.push(piece);
      return [];
    }
    dropping = true;
    pending = [];
    return [errorEvent(`A line of more than ${most} characters was dropped.`)];
  };
  const finish = (): readonly ExecutorEvent[] => {
    const line = dropping ? '' : pending.join('').replace(/\r$/, '');
    pending = [];
    length = 0;
    dropping = false;
    return line.trim() === '' ? [] : reader.line(line);
  };
  return {
    feed(chunk) {
      const events: ExecutorEvent[] = [];
      let start = 0;
      for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
        events.push(...take(chunk.slice(start, end)));
        for (const event of finish()) events.push(event);
        start = end + 1;
      }
      events.push(...take(chunk.slice(start)));
      return events;
    },
    end(exit) {
      finish();
      return reader.verdict(exit);
    },
  };
}
