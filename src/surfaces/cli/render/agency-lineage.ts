import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';
import { printTable } from '../table.js';

interface Ancestor {
  readonly kind: string;
  readonly id: string;
  readonly name: string | null;
  readonly generation: number | null;
  readonly created_by: string | null;
  readonly parent_ids: readonly string[];
  readonly state: string;
}

export const render: Renderer<{ ancestors: readonly Ancestor[] }> = ({ ancestors }, screen) => {
  printTable(screen, ancestors, [
    { title: 'KIND', text: (row) => row.kind },
    { title: 'ID', text: (row) => row.id.slice(0, 8) },
    { title: 'NAME', text: (row) => inert(row.name ?? '?'), flexible: true },
    { title: 'GENERATION', text: (row) => String(row.generation ?? '?'), right: true },
    { title: 'MADE BY', text: (row) => inert(row.created_by ?? '?') },
    { title: 'FROM', text: (row) => row.parent_ids.map((id) => id.slice(0, 8)).join(', ') || '-' },
    { title: 'STATE', text: (row) => row.state },
  ]);
};
