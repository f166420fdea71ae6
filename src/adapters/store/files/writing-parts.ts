import type { Clock } from '#kernel/clock.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import type { decideRound } from '../commit-round.js';
import type { Answers } from './answers.js';
import type { StoreDisk } from './disk.js';
import type { LogAppender } from './log-appender.js';

/** Parts of a store that only writing needs. */
export interface WritingParts {
  readonly decideRound: typeof decideRound;
  readonly answers: Answers;
  readonly appender: LogAppender;
}

/** Loads the parts, which most commands never need: they only read. */
export async function loadWritingParts(paths: GraphLayout, clock: Clock, disk: StoreDisk): Promise<WritingParts> {
  const [{ decideRound }, { Answers }, { LogAppender }] = await Promise.all([
    import('../commit-round.js'),
    import('./answers.js'),
    import('./log-appender.js'),
  ]);
  return { decideRound, answers: new Answers(paths, clock), appender: new LogAppender(disk, paths.log) };
}
