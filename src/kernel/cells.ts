import { eastAsianWidth } from 'get-east-asian-width';

/** A grapheme cluster, and the number of terminal cells it takes. */
export interface Grapheme {
  readonly text: string;
  readonly cells: number;
}

/** Characters of one cell each, so that most text need not be segmented: ASCII and drawing characters. */
const PLAIN = /^[\x20-\x7e\u00d7\u2026\u2190-\u2193\u21ba\u2500-\u259f\u25a0-\u25d0]*$/;
/** Created with the first text that is not plain: most commands never process one. */
let segmenter: Intl.Segmenter | undefined;

export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

/** Splits a text into grapheme clusters. */
export function graphemes(text: string): readonly Grapheme[] {
  if (PLAIN.test(text)) return Array.from(text, (character) => ({ text: character, cells: 1 }));
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => ({ text: segment, cells: cellsOfLetter(segment) }));
}

function cellsOfLetter(segment: string): number {
  // Written here, because Unicode properties take half a millisecond to parse: most commands never test for one.
  if (/^[\p{Mark}\p{Default_Ignorable_Code_Point}\p{Control}]+$/u.test(segment)) return 0;
  if (/\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|[#*0-9]\ufe0f?\u20e3/u.test(segment)) return 2;
  return eastAsianWidth(segment.codePointAt(0) ?? 0);
}

/** Number of cells of a text without line feeds and escapes. */
export function cellsOf(text: string): number {
  return isPlain(text) ? text.length : graphemes(text).reduce((sum, letter) => sum + letter.cells, 0);
}

/** Truncates a text to a number of cells; the last character of a truncated text is the ellipsis. */
export function cutTo(text: string, cells: number, ellipsis = '…'): string {
  if (cellsOf(text) <= cells) return text;
  const room = cells - cellsOf(ellipsis);
  if (room < 0) return '';
  let [beginning, used] = ['', 0];
  for (const letter of graphemes(text)) {
    if (used + letter.cells > room) break;
    beginning += letter.text;
    used += letter.cells;
  }
  return beginning.trimEnd() + ellipsis;
}

/** Pads a text with spaces to a number of cells, at its end or, with `right`, at its start. */
export function padTo(text: string, cells: number, right = false): string {
  const blanks = ' '.repeat(Math.max(0, cells - cellsOf(text)));
  return right ? blanks + text : text + blanks;
}

/**
 * Breaks a text at its spaces into lines of at most this many cells. A longer word is broken anywhere, so that no text
 * is lost. A character wider than a line gets a line of its own.
 */
export function wrap(text: string, cells: number): string[] {
  const lines: string[] = [];
  let [line, used] = ['', 0];
  const flush = () => {
    if (line !== '') lines.push(line);
    [line, used] = ['', 0];
  };
  for (const word of text.split(' ').filter((part) => part !== '')) {
    const size = cellsOf(word);
    if (line !== '' && used + 1 + size <= cells) {
      line += ` ${word}`;
      used += 1 + size;
      continue;
    }
    flush();
    if (size <= cells) [line, used] = [word, size];
    else {
      for (const letter of graphemes(word)) {
        if (used + letter.cells > cells) flush();
        line += letter.text;
        used += letter.cells;
      }
    }
  }
  flush();
  return lines;
}
