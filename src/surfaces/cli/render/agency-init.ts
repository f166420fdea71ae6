import { inert, plural } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

export const render: Renderer<'agency.init'> = ({ new: fresh, present, created }, screen) => {
  if (created.length === 0) {
    screen.line(`0 new: ${plural(present.roles, 'role')} and ${plural(present.tradeoffs, 'trade-off')} were there.`);
    return;
  }
  const meta = fresh.meta_roles > 0 ? `, ${plural(fresh.meta_roles, 'role')} for the agency itself` : '';
  const agents = fresh.agents > 0 ? `, ${plural(fresh.agents, 'agent')}` : '';
  screen.line(`${plural(fresh.roles, 'role')}, ${plural(fresh.tradeoffs, 'trade-off')}${meta}${agents}.`);
  for (const { kind, id, name } of created) {
    screen.line(`  ${screen.colour.dim(id.slice(0, 8))}  ${kind.padEnd(8)}  ${inert(name)}`);
  }
  if (present.agents === 0) screen.aside('Next: `troupe agent create NAME --role ROLE --tradeoff TRADEOFF`.');
};
