import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

export const render: Renderer<'memory.add'> = ({ number, agent, type }, screen) => {
  screen.line(`${screen.colour.bold(inert(agent))} remembers it as number ${number} (${type}).`);
  screen.aside(`To the files: ${screen.colour.cyan('troupe memory export')}`);
};
