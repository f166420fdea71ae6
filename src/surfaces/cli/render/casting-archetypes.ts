import type { Renderer } from '#surfaces/cli/screen.js';
import { printColumns } from './casting-columns.js';

export const render: Renderer<'casting.archetypes'> = ({ archetypes }, screen) => {
  printColumns(
    archetypes.map(({ id, summary, domain, leads }) => [id, domain, leads ? 'leads' : '', summary]),
    screen,
    (cell, column) => (column === 0 ? screen.colour.bold(cell) : column === 3 ? cell : screen.colour.dim(cell)),
  );
  screen.aside(`Next: ${screen.colour.cyan('troupe cast manual ID ID')}`);
};
