import { inert, plural } from '#kernel/text.js';
import type { Screen } from '../screen.js';

interface Output {
  readonly seq: number;
  readonly tasks: number;
  readonly file?: string;
  readonly text?: string;
}

/** The graph itself, byte for byte, or where it was written. */
export function render(output: Output, screen: Screen): void {
  const { text } = output;
  if (text === '') return;
  if (text !== undefined) screen.line((screen.terminal ? inert(text, true) : text).replace(/\n$/, ''));
  else
    screen.line(`${inert(output.file ?? '')}  ${plural(output.tasks, 'node')}, as of entry ${output.seq} of the log`);
}
