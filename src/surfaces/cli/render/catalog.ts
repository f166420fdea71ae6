import { inert, plural } from '#kernel/text.js';
import type { Renderers } from '#surfaces/cli/screen.js';
import { printColumns } from '#surfaces/cli/table.js';

const valueText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

export const renderers = {
  /** Prints one entry with all its fields, or several as a list. */
  'catalog.show': ({ kind, entries }, screen) => {
    const { colour } = screen;
    const [only] = entries;
    const paint = (cell: string, column: number) => (column === 0 ? colour.bold(cell) : cell);
    if (only !== undefined && entries.length === 1) {
      const rows = Object.entries(only).flatMap(([field, value]) =>
        (Array.isArray(value) ? value : [value]).map((part, index) => [index === 0 ? field : '', valueText(part)]),
      );
      printColumns(rows, screen, paint);
      return;
    }
    printColumns(
      entries.map((entry) => [
        valueText(entry['id']),
        valueText(entry['title'] ?? entry['name'] ?? ''),
        valueText(entry['summary'] ?? ''),
      ]),
      screen,
      paint,
    );
    screen.aside(`Next: ${colour.cyan(`troupe catalog show ${kind} ${inert(valueText(only?.['id'] ?? 'ID'))}`)}`);
  },
  'catalog.lint': ({ ok, files, problems }, screen) => {
    const { colour } = screen;
    for (const { message } of problems) screen.line(`${colour.red('error')} ${inert(message)}`);
    if (!ok) screen.line(`${plural(problems.length, 'problem')} in ${plural(files, 'file')}`);
    else if (files > 0) screen.line(`${plural(files, 'file')}, no problems`);
    else
      screen.line(
        'This project adds nothing to the catalog. Add entries in .squad/catalog/archetypes and .squad/catalog/groupings.',
      );
  },
} satisfies Partial<Renderers>;
