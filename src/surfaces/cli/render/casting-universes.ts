import type { Renderer } from '#surfaces/cli/screen.js';
import { printColumns } from './casting-columns.js';

export const render: Renderer<'casting.universes'> = ({ universes }, screen) => {
  printColumns(
    universes.map(({ name, names, used, current }) => [
      name,
      current ? 'this team' : used ? 'used' : '',
      names.join(', '),
    ]),
    screen,
    (cell, column) => (column === 0 ? screen.colour.bold(cell) : column === 2 ? screen.colour.dim(cell) : cell),
  );
};
