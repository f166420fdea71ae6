import { cellsOf, cutTo, padTo } from '#kernel/cells.js';
import { inert } from '#kernel/text.js';
import type { Screen } from '#surfaces/cli/screen.js';

const GAP = 2;
const LAST_COLUMN_LEAST = 20;

/**
 * Rows as aligned columns, two spaces in. Only the last column is cut to the width of the screen. `paint` colours a cell
 * after it was padded, so that colour codes cannot disturb the alignment.
 */
export function printColumns(
  rows: readonly (readonly string[])[],
  screen: Screen,
  paint: (cell: string, column: number, row: number) => string = (cell) => cell,
): void {
  const clean = rows.map((row) => row.map((cell) => inert(cell)));
  const count = Math.max(0, ...clean.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(0, ...clean.map((row) => cellsOf(row[column] ?? ''))),
  );
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP, GAP);
  const last = Math.max(LAST_COLUMN_LEAST, screen.width - before);
  for (const [index, row] of clean.entries()) {
    const cells = row.map((cell, column) => {
      const isLast = column === count - 1;
      const shown = isLast ? cutTo(cell, last) : padTo(cell, (widths[column] ?? 0) + GAP);
      return paint(shown, column, index);
    });
    screen.line(`${' '.repeat(GAP)}${cells.join('')}`.trimEnd());
  }
}

/** A sentence broken at words, so that nothing runs off the screen. */
export function printSentence(text: string, screen: Screen): void {
  let line = '';
  for (const word of inert(text).split(/ +/)) {
    if (line !== '' && cellsOf(line) + 1 + cellsOf(word) > screen.width) {
      screen.line(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  if (line !== '') screen.line(line);
}
