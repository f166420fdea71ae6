import { inert, plural } from '#kernel/text.js';
import { writtenFiles } from '#surfaces/cli/outside-files.js';
import type { Renderer } from '#surfaces/cli/screen.js';
import { printColumns } from './casting-columns.js';

export const render: Renderer<'casting.confirm' | 'blueprint.apply'> = (result, screen) => {
  const { colour } = screen;
  const cast = result.members.filter((member) => !member.builtIn);
  const builtIn = result.members.filter((member) => member.builtIn);
  screen.line(
    colour.bold(
      `The team: ${plural(cast.length, 'member')} from ${inert(result.universe)}, led by ${inert(result.leader)}`,
    ),
  );
  screen.line();
  const added = new Set(result.added);
  printColumns(
    cast.map((member) => [
      member.name,
      member.roleTitle,
      [added.has(member.name) ? 'new' : '', member.name === result.leader ? 'leads' : '']
        .filter((word) => word !== '')
        .join(', '),
    ]),
    screen,
    (cell, column) => (column === 0 ? colour.bold(cell) : column === 2 ? colour.dim(cell) : cell),
  );
  screen.line();
  screen.line(`Built in: ${builtIn.map((member) => inert(member.name)).join(', ')}`);
  if (result.retired.length > 0) screen.line(`Retired: ${result.retired.map((name) => inert(name)).join(', ')}`);
  const { tasks = [] } = result;
  if (tasks.length > 0) screen.line(`Nobody has these now: ${tasks.map((task) => inert(task)).join(', ')}`);
  for (const { message } of result.warnings) screen.aside(`${colour.yellow('note:')} ${inert(message)}`);
  screen.line(writtenFiles(result.outside));
  screen.aside(`Next: ${colour.cyan('troupe team show')}`);
};
