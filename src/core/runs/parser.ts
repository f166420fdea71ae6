import { LIMITS } from '#kernel/limits.js';
import type { ExecutorEvent, ProcessExit, Verdict } from './event.js';
import { errorEvent, type Reader } from './reader.js';

export interface Parser {
  /** Decoded output, cut anywhere: only whole lines are looked at. */
  feed(chunk: string): ExecutorEvent[];
  /** Once, when the process is gone and all output was fed. What stands on a last line without an end counts too. */
  end(exit: ProcessExit): Verdict;
}

/**
 * Makes lines of chunks and hands them to the reader. A line longer than `most` characters is dropped whole, with a word
 * about it, so that output without line ends costs no more memory than that. How output is cut into chunks changes nothing.
 */
export function parserOf(reader: Reader, most: number = LIMITS.streamLineCharacters): Parser {
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
