import { inSentence } from '#kernel/text.js';

/** Rejected text: the reason, with line and column if known. */
export class UnreadableData extends Error {
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(why: string, line?: number, column?: number) {
    super(inSentence(why));
    this.line = line;
    this.column = column;
  }
}

/** Returns why a text was rejected. Throws errors of other kinds again. */
export function rejectionIn(error: unknown): UnreadableData {
  if (error instanceof UnreadableData) return error;
  throw error;
}
