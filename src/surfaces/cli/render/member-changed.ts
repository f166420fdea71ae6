import { inert, plural } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

export const render: Renderer<
  'member.add' | 'member.rerole' | 'member.charter' | 'member.retire' | 'member.restore' | 'member.rename'
> = (result, screen) => {
  const { colour } = screen;
  const { member, previous_name: before, tasks = [] } = result;
  const name = colour.bold(inert(member.name));
  const role = inert(member.roleTitle) || 'no role';
  if (!result.changed) screen.line(`${name} is ${member.status === 'Active' ? role : 'no longer on the team'} already`);
  else if (member.status === 'Retired') screen.line(`${name} has left the team`);
  else if (before !== undefined) screen.line(`${inert(before)} is called ${name} now: ${role}`);
  else screen.line(`${name} is on the team: ${role}`);
  screen.line(`  ${colour.dim(inert(member.charterPath))}`);
  if (member.name === result.leader || (member.status === 'Retired' && result.changed))
    screen.line(`  ${inert(result.leader)} leads the team`);
  if (tasks.length > 0) {
    const whose = member.status === 'Retired' ? 'belong to nobody now' : `belong to ${inert(member.name)}`;
    screen.line(
      `  ${plural(tasks.length, 'task')} ${whose}: ${tasks
        .slice(0, SHOWN)
        .map((id) => inert(id))
        .join(', ')}`,
    );
  }
  if (result.outside.length > 0)
    screen.line(`  Changed outside of .squad/: ${result.outside.map((file) => inert(file)).join(', ')}`);
  if (result.changed) screen.aside(`Next: ${colour.cyan('troupe team show')}`);
};

const SHOWN = 10;
