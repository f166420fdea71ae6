import type { Renderer } from '#surfaces/cli/screen.js';
import { printColumns } from './casting-columns.js';

interface Archetypes {
  readonly archetypes: readonly { id: string; summary: string; domain: string; leads: boolean }[];
}

export const render: Renderer<Archetypes> = ({ archetypes }, screen) => {
  printColumns(
    archetypes.map(({ id, summary, domain, leads }) => [id, domain, leads ? 'leads' : '', summary]),
    screen,
    (cell, column) => (column === 0 ? screen.colour.bold(cell) : column === 3 ? cell : screen.colour.dim(cell)),
  );
  screen.aside(`Next: ${screen.colour.cyan('troupe cast manual ID ID')}`);
};
