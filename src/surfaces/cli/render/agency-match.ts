import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';
import { printTable } from '../table.js';

export const render: Renderer<'agency.match'> = ({ task_id, matches, warnings }, screen) => {
  if (matches.length === 0) {
    screen.line(`Nobody is a match for ${inert(task_id)}. Make an agent with \`troupe agent create\`.`);
  } else {
    printTable(screen, matches, [
      { title: 'ID', text: (row) => row.agent_id.slice(0, 8), paint: (text) => screen.colour.dim(text) },
      { title: 'NAME', text: (row) => inert(row.agent_name) },
      { title: 'SCORE', text: (row) => String(row.score), right: true },
      { title: 'TRUST', text: (row) => row.trust_level },
      { title: 'ROOM', text: (row) => (row.available ? 'yes' : 'busy') },
      { title: 'HAS', text: (row) => inert(row.matched_skills.join(', ')) },
      { title: 'LACKS', text: (row) => inert(row.missing_skills.join(', ')), flexible: true },
    ]);
  }
  for (const warning of warnings) screen.aside(`${screen.colour.yellow('left out:')} ${inert(warning)}`);
};
