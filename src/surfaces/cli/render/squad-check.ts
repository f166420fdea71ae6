import { plural } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';
import { printColumns } from './casting-columns.js';

export const render: Renderer<'squad.check'> = (result, screen) => {
  const { colour } = screen;
  if (result.layout === 'absent' && result.ok) {
    screen.line('This project has no team yet');
    screen.aside(`Next: ${colour.cyan('troupe cast analyze')}`);
    return;
  }
  if (result.ok) {
    screen.line(colour.green('The files of the team say what its events say'));
    return;
  }
  printColumns(
    result.drifts.map(({ kind, file, message }) => [kind, file, message]),
    screen,
    (cell, column) => (column === 0 ? colour.yellow(cell) : cell),
  );
  screen.line();
  screen.line(colour.bold(plural(result.drifts.length, 'difference')));
  const next =
    result.layout === 'conflict'
      ? 'troupe squad migrate --keep canonical'
      : result.migration_available
        ? 'troupe squad migrate --dry-run'
        : 'troupe squad render';
  screen.aside(`Next: ${colour.cyan(next)}`);
};
