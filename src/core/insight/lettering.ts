import type { Letter, Letters } from './picture.js';

/** Letters of one cell each, so that most text need not be taken apart: ASCII and the signs that drawings are made of. */
const PLAIN = /^[\x20-\x7e\u2026\u2190-\u2193\u21ba\u2500-\u257f\u25a0-\u25d0]*$/;

export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

export function cellsOf(text: string, letters: Letters): number {
  return isPlain(text) ? text.length : sizeOf(letters(text));
}

const sizeOf = (letters: readonly Letter[]): number => letters.reduce((sum, letter) => sum + letter.cells, 0);

const textOf = (letters: readonly Letter[]): string => letters.map((letter) => letter.text).join('');

/** The text, cut to this many cells; the last letter is the ellipsis when something was cut. */
export function cutTo(text: string, cells: number, letters: Letters, ellipsis: string): string {
  if (cellsOf(text, letters) <= cells) return text;
  const all = letters(text);
  const room = cells - cellsOf(ellipsis, letters);
  if (room < 0) return '';
  const kept: Letter[] = [];
  let used = 0;
  for (const letter of all) {
    if (used + letter.cells > room) break;
    kept.push(letter);
    used += letter.cells;
  }
  return textOf(kept).trimEnd() + ellipsis;
}

/**
 * Breaks a text at its spaces into lines of at most this many cells; a word that is longer is broken anywhere, so that
 * nothing is lost. A letter wider than the line stands alone.
 */
export function wrap(text: string, cells: number, letters: Letters): string[] {
  const lines: string[] = [];
  let [line, used] = ['', 0];
  const flush = () => {
    if (line !== '') lines.push(line);
    [line, used] = ['', 0];
  };
  for (const word of text.split(' ').filter((part) => part !== '')) {
    const size = cellsOf(word, letters);
    if (line !== '' && used + 1 + size <= cells) {
      line += ` ${word}`;
      used += 1 + size;
      continue;
    }
    flush();
    if (size <= cells) [line, used] = [word, size];
    else {
      for (const letter of letters(word)) {
        if (used + letter.cells > cells) flush();
        line += letter.text;
        used += letter.cells;
      }
    }
  }
  flush();
  return lines;
}
