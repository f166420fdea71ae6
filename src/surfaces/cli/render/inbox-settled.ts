import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

interface Settled {
  readonly entry: { readonly number: number; readonly title: string; readonly status: string };
  readonly decision?: { readonly number: number };
  readonly memory?: { readonly number: number; readonly agent: string };
}

export const render: Renderer<Settled> = ({ entry, decision, memory }, screen) => {
  const became = decision ? `, decision ${decision.number} from now on` : '';
  const kept = memory ? `, ${inert(memory.agent)} remembers it as number ${memory.number}` : '';
  screen.line(`Entry ${entry.number} is ${entry.status}${became}${kept}: ${screen.colour.bold(inert(entry.title))}`);
  screen.aside(`To the files: ${screen.colour.cyan('troupe memory export')}`);
};
