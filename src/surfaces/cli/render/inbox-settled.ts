import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

export const render: Renderer<'inbox.merge' | 'inbox.reject'> = ({ entry, decision, memory }, screen) => {
  const became = decision ? `, decision ${decision.number} from now on` : '';
  const kept = memory ? `, ${inert(memory.agent)} remembers it as number ${memory.number}` : '';
  screen.line(`Entry ${entry.number} is ${entry.status}${became}${kept}: ${screen.colour.bold(inert(entry.title))}`);
  screen.aside(`To the files: ${screen.colour.cyan('troupe memory export')}`);
};
