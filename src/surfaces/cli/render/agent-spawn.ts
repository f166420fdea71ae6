import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

export const render: Renderer<'agent.spawn'> = ({ agent_id }, screen) => {
  screen.line(`Started ${inert(agent_id)}. See it with \`troupe agents\`.`);
};
