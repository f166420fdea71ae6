import { inert } from '#kernel/text.js';
import type { Screen } from '../screen.js';

interface Output {
  readonly task: string;
  readonly run: string | null;
  readonly text: string;
  readonly cut: boolean;
}

/** What the latest run of a task printed; escapes in it are shown, not obeyed. */
export function render(output: Output, screen: Screen): void {
  if (output.run === null) {
    screen.line(`Nothing has run for ${inert(output.task)} yet.`);
    return;
  }
  if (output.cut) screen.aside(screen.colour.dim('The beginning is left out; say --bytes N for more.'));
  const text = inert(output.text, true).trimEnd();
  screen.line(text === '' ? screen.colour.dim(`${inert(output.run)} printed nothing.`) : text);
}
