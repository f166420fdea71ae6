/**
 * Lines that a reader of rows could see something in beside the rows' own: headings, and whatever begins or ends a block of code
 * or a comment. A line begins after a line feed or a carriage return and nowhere else.
 */
const MARKS = /(?<![^\n\r])(?: {0,3}(?:#{1,6}(?![^ \t\r\n])|`{3}|~{3}|<!--)[^\n\r]*|[^\n\r]*-->[^\n\r]*)/g;
const HEADING = /^ {0,3}#/;
const ROW = /^ {0,3}###[ \t]+([a-z][a-z0-9-]*)/;
/** The lessons below their key. What could end a comment stays. */
const LESSONS = /((?<![^\n\r]) ?[-*+][ \t]+learnings:[^\n\r]*\r?\n)(?: {2,}[-*+] (?![^\n\r]*-->)[^\n\r]*\r?\n)+/gi;

/**
 * A file of rows made short for whoever asks for some of them: the others keep their headings alone, and these lose most of their
 * lessons, which are most of such a file. Whoever parses it reads the fields of the wanted rows as they are in the file.
 */
export function rowsAmong(source: string, isWanted: (name: string) => boolean): string {
  const text = source.replace(/^\ufeff/, '');
  if (text.startsWith('---')) return source; // front matter ends at a line that is no mark elsewhere
  const kept: string[] = [];
  let wantedFrom: number | undefined;
  for (const { 0: mark, index } of text.matchAll(MARKS)) {
    if (wantedFrom !== undefined) kept.push(text.slice(wantedFrom, index));
    const [, row] = ROW.exec(mark) ?? [];
    const end = index + mark.length;
    kept.push(mark);
    if (row !== undefined) wantedFrom = isWanted(row) ? end : undefined;
    // A heading in a block of code is none: what stands after the block may belong to a row before it.
    else if (wantedFrom !== undefined || !HEADING.test(mark) || mark.includes('-->')) wantedFrom = end;
    if (wantedFrom === undefined) kept.push('\n');
  }
  if (wantedFrom !== undefined) kept.push(text.slice(wantedFrom));
  return kept.join('').replaceAll(LESSONS, '$1');
}
