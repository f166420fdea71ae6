import { cellsOf, cutTo, padTo } from '#kernel/cells.js';
import type { Screen } from './screen.js';

export interface Column<Row> {
  readonly title: string;
  text(row: Row): string;
  /** Colours the padded text. */
  paint?(text: string, row: Row): string;
  readonly right?: boolean;
  /** The column that gives way when the terminal is narrow. */
  readonly flexible?: boolean;
}

/** Aligned columns without frames; the flexible one is cut to what the terminal's width leaves. */
export function printTable<Row>(screen: Screen, rows: readonly Row[], columns: readonly Column<Row>[]): void {
  const cells = rows.map((row) => columns.map((column) => column.text(row)));
  const widths = columns.map((column, index) =>
    Math.max(cellsOf(column.title), ...cells.map((line) => cellsOf(line[index] ?? ''))),
  );
  const gap = 2;
  const flexible = columns.findIndex((column) => column.flexible);
  const over = widths.reduce((sum, width) => sum + width + gap, -gap) - screen.width;
  if (flexible !== -1 && over > 0) widths[flexible] = Math.max(8, (widths[flexible] ?? 8) - over);
  const line = (texts: readonly string[], paint: (text: string, index: number) => string) =>
    texts
      .map((text, index) => {
        const width = widths[index] ?? 0;
        return paint(padTo(cutTo(text, width), width, columns[index]?.right), index);
      })
      .join(' '.repeat(gap))
      .trimEnd();
  screen.line(
    line(
      columns.map((column) => column.title),
      (text) => screen.colour.dim(text),
    ),
  );
  for (const [number, row] of rows.entries()) {
    screen.line(line(cells[number] ?? [], (text, index) => columns[index]?.paint?.(text, row) ?? text));
  }
}
