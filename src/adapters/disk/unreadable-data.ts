import { cut, inert } from '#kernel/text.js';

const LONGEST_REASON = 200;

/** Rejected text: the reason, with line and column if known. */
export class UnreadableData extends Error {
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(why: string, line?: number, column?: number) {
    super(cut(inert(why), LONGEST_REASON));
    this.line = line;
    this.column = column;
  }
}
