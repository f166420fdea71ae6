import type { Renderer } from '#surfaces/cli/screen.js';
import { printColumns } from './casting-columns.js';

export const render: Renderer<'casting.scenarios'> = ({ scenarios }, screen) => {
  printColumns(
    scenarios.map(({ id, description, archetypes }) => [id, `${archetypes.length}`, description]),
    screen,
    (cell, column) => (column === 0 ? screen.colour.bold(cell) : column === 1 ? screen.colour.dim(cell) : cell),
  );
  screen.aside(`Next: ${screen.colour.cyan('troupe cast scenario ID')}`);
};
