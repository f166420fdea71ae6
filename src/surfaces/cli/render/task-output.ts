import { inert } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';

/** What the latest run of a task did; escapes in it are shown, not obeyed. */
export function render(output: AnswerOf<'task.output'>, screen: Screen): void {
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
