import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';
import { printColumns } from './casting-columns.js';

export const render: Renderer<'team.show'> = (team, screen) => {
  const { colour } = screen;
  screen.line(colour.bold(`${inert(team.project)}: a team from ${inert(team.universe)}, led by ${inert(team.leader)}`));
  screen.line();
  const said = { Active: '', Retired: 'retired' } as const;
  printColumns(
    team.members.map((member) => [
      member.name,
      member.roleTitle,
      member.builtIn && member.status === 'Active' ? 'built in' : said[member.status],
      member.charterPath,
    ]),
    screen,
    (cell, column) => (column === 0 ? colour.bold(cell) : column === 1 ? cell : colour.dim(cell)),
  );
};
