import { inert } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';

/** What became of the log. */
export function render(output: AnswerOf<'store.rotate'>, screen: Screen): void {
  if (!output.rotated) {
    screen.line('There is nothing in the log to pack away.');
    return;
  }
  const size = (bytes = 0) => `${Math.ceil(bytes / 1024)} KB`;
  screen.line(
    `Entries ${output.from} to ${output.to} are packed away; the log went from ${size(output.before)} to ${size(output.after)}.`,
  );
  for (const file of output.files ?? []) screen.line(screen.colour.dim(`  .workgraph/${inert(file)}`));
}
