import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';
import { printTable } from '../table.js';

export const render: Renderer<'role.lineage' | 'tradeoff.lineage' | 'identity.lineage'> = ({ ancestors }, screen) => {
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
