import type { Clock } from '#kernel/clock.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import type { Answers } from './answers.js';
import type { StoreDisk } from './disk.js';
import type { DiskState } from './disk-state.js';
import type { LogAppender } from './log-appender.js';
import type { RoundOwner, RoundWriter } from './round-writer.js';

/** Parts of a store that only writing needs. */
export interface WritingParts {
  readonly answers: Answers;
  readonly appender: LogAppender;
  readonly writer: RoundWriter;
}

interface WritingNeeds {
  readonly paths: GraphLayout;
  readonly clock: Clock;
  readonly disk: StoreDisk;
  readonly state: DiskState;
  readonly owner: RoundOwner;
}

/** Loads the parts, which most commands never need: they only read. */
export async function loadWritingParts({ paths, clock, disk, state, owner }: WritingNeeds): Promise<WritingParts> {
  const [{ RoundWriter }, { Answers }, { LogAppender }] = await Promise.all([
    import('./round-writer.js'),
    import('./answers.js'),
    import('./log-appender.js'),
  ]);
  const [answers, appender] = [new Answers(paths, clock), new LogAppender(disk, paths.log)];
  return { answers, appender, writer: new RoundWriter({ state, clock, answers, appender, owner }) };
}
