import { inert, plural } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';

export function render({ workflows }: AnswerOf<'workflow.check'>, screen: Screen): void {
  const { colour } = screen;
  for (const { id, ok, tasks, warnings, problem } of workflows) {
    const mark = ok ? colour.green(screen.unicode ? '●' : 'ok') : colour.red(screen.unicode ? '✗' : 'no');
    screen.line(`${mark} ${inert(id)}: ${ok ? plural(tasks, 'task') : inert(problem ?? '')}`);
    for (const warning of warnings) screen.line(colour.dim(`    ${inert(warning)}`));
  }
}
