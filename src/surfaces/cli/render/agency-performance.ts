import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';
import { printTable } from '../table.js';

export const render: Renderer<'identity.performance'> = ({ name, avg_score, evaluations }, screen) => {
  if (avg_score === null) {
    screen.line(`${inert(name)} has no score yet. Give one with \`troupe evaluate record TASK --score S\`.`);
    return;
  }
  screen.line(`${screen.colour.bold(inert(name))}  ${avg_score.toFixed(2)} over ${evaluations.length}`);
  printTable(screen, evaluations, [
    { title: 'SCORE', text: (row) => row.score.toFixed(2), right: true },
    { title: 'TASK', text: (row) => inert(row.task_id), flexible: true },
    { title: 'WHEN', text: (row) => inert(row.timestamp) },
  ]);
};
