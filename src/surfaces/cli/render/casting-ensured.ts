import { inert, plural } from '#kernel/text.js';
import { writtenFiles } from '#surfaces/cli/outside-files.js';
import type { Renderer } from '#surfaces/cli/screen.js';

export const render: Renderer<'team.ensure'> = ({ cast, universe, members, leader, outside }, screen) => {
  const who = `${plural(members, 'member')} from ${inert(universe)}, led by ${inert(leader)}`;
  screen.line(cast ? `A new team: ${who}` : `The team that was there: ${who}`);
  if (cast) screen.line(writtenFiles(outside));
  screen.aside(`Next: ${screen.colour.cyan('troupe team show')}`);
};
