export const TODO_WORDS = ['FIXME', 'XXX', 'HACK', 'TODO'] as const;
export type TodoWord = (typeof TODO_WORDS)[number];

export interface TodoMark {
  readonly word: TodoWord;
  readonly line: number;
  readonly text: string;
}

/**
 * Finds the notes of one file. Only upper-case words that begin a comment or precede a colon or a bracket count, so
 * that prose about to-do lists and names such as `XXX` in test data do not. Code examples in a document are skipped,
 * because their notes are for readers.
 */
export function todoMarks(text: string, isDocument = false): TodoMark[] {
  const marks: TodoMark[] = [];
  const lines = text.split('\n');
  let isExample = false;
  for (const [index, line] of lines.entries()) {
    if (isDocument && /^\s*(```|~~~)/.test(line)) isExample = !isExample;
    if (isExample) continue;
    if (line.length > 2_000) continue; // generated or minified
    const match =
      /(?:\/\/|\/\*+|#+|<!--|--|;|%|^\s*\*)\s*(?:@)?(TODO|FIXME|XXX|HACK)\b|\b(TODO|FIXME|XXX|HACK)(?=\([^)\s]{1,40}\):?|:\s)/.exec(
        line,
      );
    if (match && !isNote(line, match)) continue;
    const word = (match?.[1] ?? match?.[2]) as TodoWord | undefined;
    if (match && word) marks.push({ word, line: index + 1, text: line.slice(match.index).trim().slice(0, 160) });
  }
  return marks;
}

/** Whether a match is in a comment, or begins a line of plain text; not if it is in a string or part of a name. */
function isNote(line: string, match: RegExpExecArray): boolean {
  const before = line.slice(0, match.index);
  const quoted = ['"', "'", '`'].some((quote) => before.split(quote).length % 2 === 0);
  if (match[1] !== undefined) return !quoted;
  if (/\/\/|\/\*|#|<!--|--|^\s*\*/.test(before)) return true;
  return /^[\s>*-]*$/.test(before) && /^\w+(\(|:\s+[^\s,]+\s+\S)/.test(line.slice(match.index));
}
