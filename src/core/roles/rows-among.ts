/**
 * Lines that can affect how rows are parsed: headings, and starts or ends of code blocks and comments. A line begins
 * only after a line feed or a carriage return.
 */
const MARKS = /(?<![^\n\r])(?: {0,3}(?:#{1,6}(?![^ \t\r\n])|`{3}|~{3}|<!--)[^\n\r]*|[^\n\r]*-->[^\n\r]*)/g;
const HEADING = /^ {0,3}#/;
const ROW = /^ {0,3}###[ \t]+([a-z][a-z0-9-]*)/;
/** Lessons below their key. Lines that could end a comment are kept. */
const LESSONS = /((?<![^\n\r]) ?[-*+][ \t]+learnings:[^\n\r]*\r?\n)(?: {2,}[-*+] (?![^\n\r]*-->)[^\n\r]*\r?\n)+/gi;

/**
 * Shortens a file of rows for a caller that needs only some of them: the others keep only their headings, and the
 * wanted rows lose most of their lessons, which make up most of the file. Parsing the result gives the unchanged fields
 * of the wanted rows.
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
    // A heading in a code block is not one: text after the block may belong to an earlier row.
    else if (wantedFrom !== undefined || !HEADING.test(mark) || mark.includes('-->')) wantedFrom = end;
    if (wantedFrom === undefined) kept.push('\n');
  }
  if (wantedFrom !== undefined) kept.push(text.slice(wantedFrom));
  return kept.join('').replaceAll(LESSONS, '$1');
}
