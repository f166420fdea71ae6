import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

interface Added {
  readonly number: number;
  readonly agent: string;
  readonly type: string;
}

export const render: Renderer<Added> = ({ number, agent, type }, screen) => {
  screen.line(`${screen.colour.bold(inert(agent))} remembers it as number ${number} (${type}).`);
  screen.aside(`To the files: ${screen.colour.cyan('troupe memory export')}`);
};
