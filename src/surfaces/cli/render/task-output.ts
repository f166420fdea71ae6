import { inert } from '#kernel/text.js';
import type { Screen } from '../screen.js';

/** The answer of `task.output`. */
export interface Output {
  readonly task: string;
  readonly run: string | null;
  readonly form: 'words' | 'raw';
  readonly text: string;
  readonly next: number;
  readonly cut: boolean;
  readonly running: boolean;
}

/** What the latest run of a task did; escapes in it are shown, not obeyed. */
export function render(output: Output, screen: Screen): void {
  if (output.run === null) {
    screen.line(`Nothing has run for ${inert(output.task)} yet.`);
    return;
  }
  if (output.cut) screen.aside(cutNote(screen));
  const text = inert(output.text, true).trimEnd();
  screen.line(text === '' ? screen.colour.dim(`${inert(output.run)} printed nothing.`) : text);
}

export function cutNote({ colour }: Pick<Screen, 'colour'>): string {
  return colour.dim('The beginning is left out; say --bytes N for more.');
}
