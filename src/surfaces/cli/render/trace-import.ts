import { inert, plural } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';

export function render(output: AnswerOf<'trace.import'>, screen: Screen): void {
  const what = `${plural(output.tasks, 'task')} and ${plural(output.evaluations, 'evaluation')}`;
  const source = screen.colour.bold(inert(output.source));
  if (output.dry_run) {
    screen.line(`The file is sound: ${what} would be imported as ${source}.`);
    if (output.replaced) screen.line('They would replace what was imported under this name before.');
    return;
  }
  screen.line(`Imported ${what} as ${source}${output.replaced ? ', in the place of the earlier import' : ''}.`);
  if (output.path !== undefined) {
    screen.line(screen.colour.dim(`They lie in ${inert(output.path)}, beside the graph: none of them runs.`));
  }
}
