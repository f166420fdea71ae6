import { inert } from '#kernel/text.js';
import type { Screen } from '../screen.js';

export function render(output: { folder: string; created: boolean }, screen: Screen): void {
  screen.line(output.created ? `Made ${inert(output.folder)}.` : `${inert(output.folder)} is there already.`);
  screen.line('Next: `troupe add "Title"`, or `troupe run` to have a team review this repository.');
}
