import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';
import { printTable } from '../table.js';

export const render: Renderer<'executor.list'> = ({ executors }, screen) => {
  printTable(screen, executors, [
    { title: 'NAME', text: (row) => inert(row.name) },
    { title: 'FROM', text: (row) => row.source },
    { title: 'USABLE', text: (row) => (row.usable ? 'yes' : 'no') },
    { title: 'VERSION', text: (row) => inert(row.version ?? (row.installed === false ? 'not installed' : '')) },
    {
      title: 'STARTS',
      text: (row) => inert(row.problem ?? row.command?.join(' ') ?? builtIn(row.name)),
      flexible: true,
    },
  ]);
  const waiting = executors.find((row) => !row.usable && row.command !== undefined);
  if (waiting) screen.aside(`Look at one with \`troupe executor trust ${inert(waiting.name)} --show\`.`);
  if (executors.every((row) => row.source === 'built-in')) {
    screen.aside('Define one of your own in .workgraph/executors/NAME.toml.');
  }
};

function builtIn(name: string): string {
  return name === 'shell' ? 'the command of the task' : `the client ${name}`;
}
