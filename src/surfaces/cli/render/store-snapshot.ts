import { plural } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';

export function render(output: AnswerOf<'store.snapshot'>, screen: Screen): void {
  screen.line(`graph.jsonl holds ${plural(output.tasks, 'node')}, as of entry ${output.seq} of the log.`);
}
