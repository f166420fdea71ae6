import { inert, plural } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';

/** The graph itself, byte for byte, or where it was written. */
export function render(output: AnswerOf<'store.rebuild'>, screen: Screen): void {
  const { text } = output;
  if (text === '') return;
  if (text !== undefined) screen.line((screen.terminal ? inert(text, true) : text).replace(/\n$/, ''));
  else
    screen.line(`${inert(output.file ?? '')}  ${plural(output.tasks, 'node')}, as of entry ${output.seq} of the log`);
}
