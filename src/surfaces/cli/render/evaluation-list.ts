import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';
import { printTable } from '../table.js';

export const render: Renderer<'evaluation.show'> = ({ evaluations, total, warnings }, screen) => {
  if (total === 0) screen.line('No scores yet. Record one with `troupe evaluate record TASK --score 0.8`.');
  else {
    printTable(screen, evaluations, [
      { title: 'WHEN', text: (row) => inert(row.timestamp).slice(0, 16).replace('T', ' ') },
      { title: 'TASK', text: (row) => inert(row.task_id) },
      { title: 'SCORE', text: (row) => String(Number(row.score.toFixed(4))), right: true },
      { title: 'SOURCE', text: (row) => inert(row.source) },
      { title: 'NOTES', text: (row) => inert(row.notes), flexible: true },
    ]);
  }
  const left = total - evaluations.length;
  if (left > 0) screen.line(screen.colour.dim(`${left} more: \`--limit\` shows them.`));
  for (const warning of warnings) screen.line(screen.colour.yellow(inert(warning)));
};
