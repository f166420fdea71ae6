import type { AnswerOf, Screen } from '../screen.js';
import { printTable } from '../table.js';

/** The kinds of files as a table; one schema as JSON, for that is what it is. */
export function render(output: AnswerOf<'format.schema'>, screen: Screen): void {
  if (!output.formats) {
    for (const line of JSON.stringify(output, undefined, 2).split('\n')) screen.line(line);
    return;
  }
  printTable(screen, output.formats, [
    { title: 'NAME', text: ({ name }) => name },
    { title: 'FILE', text: ({ file }) => file },
    { title: 'WHAT', text: ({ about }) => about, flexible: true },
  ]);
}
