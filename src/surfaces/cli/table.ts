import { cellsOf, cutTo, padTo } from '#kernel/cells.js';
import { inert } from '#kernel/text.js';
import { ago } from './ago.js';
import type { Screen } from './screen.js';

export interface Column<Row> {
  readonly title: string;
  text(row: Row): string;
  /** Colours the padded text. */
  paint?(text: string, row: Row): string;
  readonly right?: boolean;
  /** Whether the column shrinks first on a narrow terminal. */
  readonly flexible?: boolean;
}

type Plain = string | number | null | undefined | readonly string[];
/** Named fields of a row that are printed as they are. */
type PlainField<Row> = keyof {
  [Field in keyof Row as string extends Field ? never : Row[Field] extends Plain ? Field : never]: unknown;
} &
  string;

/**
 * Column that shows a field as it is, below the name of the field or a title before `=`: text made inert, numbers to
 * the right, with ` ago` the age of a time; with `…` it shrinks first on a narrow terminal.
 */
type FieldColumn<Row> = `${'' | `${string}=`}${PlainField<Row>}${'' | ' ago'}${'' | '…'}`;

/** Columns of a table: single ones, and lists of those that show a field as it is. */
type Columns<Row> = readonly (Column<Row> | readonly FieldColumn<Row>[])[];

const GAP = 2;
const INDENT = 2;

/** Prints aligned columns with titles, truncated to the width of the terminal: see `fitWidths`. */
export function printTable<Row>(screen: Screen, rows: readonly Row[], wishes: Columns<Row>): void {
  const columns = wishes.flatMap((wish) => ('title' in wish ? [wish] : wish.map((text) => fieldColumn(text, rows))));
  const cells = rows.map((row) => columns.map((column) => column.text(row)));
  const wanted = columns.map((column, index) =>
    Math.max(cellsOf(column.title), ...cells.map((line) => cellsOf(line[index] ?? ''))),
  );
  const widths = fitWidths(wanted, screen.width, {
    flexible: columns.findIndex((column) => column.flexible),
    isFixed: (index) => columns[index]?.right === true,
  });
  const line = (texts: readonly string[], paint: (text: string, index: number) => string) =>
    texts
      .map((text, index) => {
        const width = widths[index] ?? 0;
        return paint(padTo(cutTo(text, width), width, columns[index]?.right), index);
      })
      .join(' '.repeat(GAP))
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

const FIELD_COLUMN = /^(?:([^=]*)=)?(\w+)( ago)?(…)?$/;

function fieldColumn<Row>(text: string, rows: readonly Row[]): Column<Row> {
  const [, title, field = '', age, flexible] = FIELD_COLUMN.exec(text) ?? [];
  const shown = (row: Row) => (row as Readonly<Record<string, Plain>>)[field] ?? '';
  return {
    title: title ?? field.replaceAll('_', ' ').toUpperCase(),
    text: (row) => (age ? ago(String(shown(row))) : inert([shown(row)].flat().join(', '))),
    right: rows.some((row) => typeof shown(row) === 'number'),
    flexible: flexible !== undefined,
  };
}

/** Prints the first rows as a table, and counts the others. */
export function printFirst<Row>(
  screen: Screen,
  rows: readonly Row[],
  most: number,
  columns: Columns<Row>,
  indent = '  ',
): void {
  printTable(screen, rows.slice(0, most), columns);
  if (rows.length > most) screen.line(screen.colour.dim(`${indent}and ${rows.length - most} more`));
}

/**
 * Prints rows as aligned columns without titles, indented by two spaces; the last column shrinks first. `paint` colours
 * a cell after padding, because colour codes would disturb the alignment.
 */
export function printColumns(
  rows: readonly (readonly string[])[],
  screen: Screen,
  paint: (cell: string, column: number, row: number) => string = (cell) => cell,
): void {
  const clean = rows.map((row) => row.map((cell) => inert(cell)));
  const count = Math.max(0, ...clean.map((row) => row.length));
  const wanted = Array.from({ length: count }, (_, column) =>
    Math.max(0, ...clean.map((row) => cellsOf(row[column] ?? ''))),
  );
  const widths = fitWidths(wanted, screen.width - INDENT, { flexible: count - 1, isFixed: () => false });
  for (const [number, row] of clean.entries()) {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0;
      const text = cutTo(cell, width);
      return paint(column === count - 1 ? text : padTo(text, width + GAP), column, number);
    });
    screen.line(`${' '.repeat(INDENT)}${cells.join('')}`.trimEnd());
  }
}

interface Giving {
  /** Index of the column that shrinks first; -1 for none. */
  readonly flexible: number;
  /** Whether a column is never truncated, for instance because it contains figures. */
  isFixed(index: number): boolean;
}

/**
 * Returns column widths that fit into `room` cells. The flexible column shrinks first, to 24; then the others except
 * the first, the widest first, to 14; then the flexible one to 12; then all to 6. The first column is among the last to
 * shrink, because it usually contains the id to type next.
 */
function fitWidths(wanted: readonly number[], room: number, { flexible, isFixed }: Giving): number[] {
  const widths = [...wanted];
  let over = widths.reduce((sum, width) => sum + width + GAP, -GAP) - room;
  // One cell at a time off the widest: columns of equal width keep about the same width.
  const give = (indexes: readonly number[], least: number) => {
    while (over > 0) {
      const width = Math.max(0, ...indexes.map((index) => widths[index] ?? 0));
      if (width <= least) return;
      widths[indexes.find((index) => widths[index] === width) ?? 0] = width - 1;
      over--;
    }
  };
  const all = [...widths.keys()].filter((index) => !isFixed(index));
  const first = all.filter((index) => index === flexible);
  give(first, 24);
  give(
    all.filter((index) => index !== flexible && index > 0),
    14,
  );
  give(first, 12);
  give(all, 6);
  return widths;
}
