import { inert } from '#kernel/text.js';
import type { Screen } from '../screen.js';

interface Lines {
  readonly log?: readonly { timestamp: string; actor?: string; message: string }[];
  readonly artifacts?: readonly string[];
}

/** `log` and `artifact`: a line each. */
export function render({ log, artifacts }: Lines, screen: Screen): void {
  for (const entry of log ?? []) {
    const time = screen.colour.dim(entry.timestamp.slice(0, 19).replace('T', ' '));
    screen.line(`${time}  ${inert(entry.actor ?? '')}  ${inert(entry.message)}`);
  }
  for (const artifact of artifacts ?? []) screen.line(inert(artifact));
  if (log?.length === 0) screen.line('Nothing is logged yet.');
  if (artifacts?.length === 0) screen.line('No artifacts yet.');
}
