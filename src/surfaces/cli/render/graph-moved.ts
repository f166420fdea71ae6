import { inert } from '#kernel/text.js';
import type { Screen } from '../screen.js';
import { paintState, shownState, stateMark } from '../status-mark.js';

interface Moved {
  readonly id: string;
  readonly title?: string;
  readonly status?: string;
  readonly changed?: boolean;
  readonly fence?: number;
  readonly warnings?: readonly string[];
}

/** What a command did to one task, in one line; warnings go beside it. */
export function render(output: Moved, screen: Screen): void {
  const state = shownState(output.status ?? 'open', false);
  const what = output.title === undefined ? '' : `  ${inert(output.title)}`;
  const word = output.fence === undefined ? undefined : 'claimed'; // by a person: nothing runs
  const same = output.changed === false ? screen.colour.dim('  (it was so already)') : '';
  screen.line(`${paintState(stateMark(state, screen, word), state, screen)}  ${inert(output.id)}${what}${same}`);
  for (const warning of output.warnings ?? []) screen.aside(`${screen.colour.yellow('warning:')} ${inert(warning)}`);
}
