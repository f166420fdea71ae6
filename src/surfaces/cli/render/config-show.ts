import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';
import { printTable } from '../table.js';

/** A row a setting, those of the file in bold. */
export const render: Renderer<'config.show'> = ({ file, settings, warnings }, screen) => {
  const { colour } = screen;
  printTable(screen, settings, [
    {
      title: 'SETTING',
      text: (row) => row.key,
      paint: (text, row) => (row.from === 'file' ? colour.bold(text) : text),
    },
    { title: 'FROM', text: (row) => row.from, paint: (text, row) => (row.from === 'file' ? text : colour.dim(text)) },
    { title: 'VALUE', text: (row) => (row.value === undefined ? '' : inert(String(row.value))), flexible: true },
  ]);
  for (const warning of warnings) screen.aside(`${colour.yellow('warning:')} ${inert(warning)}`);
  screen.aside(`Kept in ${file}. Change one with \`troupe config set KEY VALUE\`.`);
};
