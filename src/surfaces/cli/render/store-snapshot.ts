import { plural } from '#kernel/text.js';
import type { Screen } from '../screen.js';

export function render(output: { seq: number; tasks: number }, screen: Screen): void {
  screen.line(`graph.jsonl holds ${plural(output.tasks, 'node')}, as of entry ${output.seq} of the log.`);
}
