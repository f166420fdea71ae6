import { cellsOf, letters } from '#kernel/cells.js';

/**
 * Breaks a text at its spaces into lines of at most this many cells; a word that is longer is broken anywhere, so that
 * nothing is lost. A letter wider than the line stands alone.
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
