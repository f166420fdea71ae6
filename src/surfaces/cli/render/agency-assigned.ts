import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

export const render: Renderer<'agency.assign'> = ({ id, agent_id, agent_name, reason, changed }, screen) => {
  const who = agent_id === null ? 'nobody' : `${inert(agent_name ?? '')} (${agent_id.slice(0, 8)})`;
  const why = reason === undefined ? '' : screen.colour.dim(`  ${inert(reason)}`);
  screen.line(`${screen.colour.bold(inert(id))} ${changed ? 'is' : 'was already'} for ${who}.${why}`);
};
