import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

export const render: Renderer<'agent.kill'> = ({ run, task }, screen) => {
  screen.line(`Told ${inert(run)} to end. ${inert(task)} is given back and may start again.`);
  screen.aside(`To keep it from that: ${screen.colour.cyan(`troupe pause ${inert(task)}`)}`);
};
