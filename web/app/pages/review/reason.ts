/** A remark about one line of a change. */
export interface LineComment {
  readonly file: string;
  /** `old` for a removed line, whose number is the one before the change. */
  readonly side: 'old' | 'new';
  readonly line: number;
  readonly quote: string;
  readonly text: string;
}

/** Bytes of a reason that the prompt of the next attempt holds. */
export const REASON_BYTES = 8 * 1024;
const QUOTE_CHARACTERS = 160;

/** Place of a comment, as compilers name it. */
export function placeOf({ file, line, side }: Pick<LineComment, 'file' | 'line' | 'side'>): string {
  return `${file}:${line}${side === 'old' ? ' (removed)' : ''}`;
}

/** One text of the words and all comments, for the agent that tries again: each with its place and the line it is about. */
export function reasonOf(words: string, comments: readonly LineComment[]): string {
  const remarks = [...comments].sort(inOrder).map((comment) => {
    const quote = comment.quote.trim().slice(0, QUOTE_CHARACTERS);
    return `${placeOf(comment)}${quote === '' ? '' : `\n> ${quote}`}\n${comment.text.trim()}`;
  });
  return [words.trim(), ...remarks].filter((part) => part !== '').join('\n\n');
}

export function isTooLong(reason: string): boolean {
  return new TextEncoder().encode(reason).length > REASON_BYTES;
}

function inOrder(left: LineComment, right: LineComment): number {
  return left.file === right.file ? left.line - right.line : left.file < right.file ? -1 : 1;
}
