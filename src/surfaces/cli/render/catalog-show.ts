import type { Renderer } from '#surfaces/cli/screen.js';
import { printColumns } from './casting-columns.js';

/** One entry with all its fields; several as a list. */
export const render: Renderer<'catalog.show'> = ({ kind, entries }, screen) => {
  const { colour } = screen;
  const [only] = entries;
  const paint = (cell: string, column: number) => (column === 0 ? colour.bold(cell) : cell);
  if (only !== undefined && entries.length === 1) {
    const rows = Object.entries(only).flatMap(([field, value]) =>
      (Array.isArray(value) ? value : [value]).map((part, index) => [index === 0 ? field : '', said(part)]),
    );
    printColumns(rows, screen, paint);
    return;
  }
  printColumns(
    entries.map((entry) => [
      said(entry['id']),
      said(entry['title'] ?? entry['name'] ?? ''),
      said(entry['summary'] ?? ''),
    ]),
    screen,
    paint,
  );
  screen.aside(`Next: ${colour.cyan(`troupe catalog show ${kind} ${said(only?.['id'] ?? 'ID')}`)}`);
};

const said = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
