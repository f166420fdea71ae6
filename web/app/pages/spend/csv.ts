import type { Answer } from '#surfaces/http/contract.js';

type Line = NonNullable<Answer<'spend.show'>['lines']>[number];

const COLUMNS = [
  ...(['day', 'task', 'title', 'member', 'client', 'model', 'playbook'] as const),
  ...(['count', 'tokens', 'unpriced', 'usd', 'estimated'] as const),
] satisfies readonly (keyof Line)[];

/** Lines as a CSV file (RFC 4180). */
export function csvOf(lines: readonly Line[]): string {
  const rows = lines.map((line) => COLUMNS.map((column) => cellOf(line[column])));
  return [COLUMNS, ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

/** A cell. Text that a spreadsheet would run as a formula is led by an apostrophe. */
function cellOf(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Has the browser save a text as a file. */
export function saveAs(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
