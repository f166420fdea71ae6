import { inert, plural } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';

/** What was opened again, or would be. */
export function render(output: AnswerOf<'replay.run'>, screen: Screen): void {
  const { run_id, reset_tasks, preserved_tasks, plan_only } = output;
  if (reset_tasks.length === 0) {
    screen.line('No task is to be done again. See what there is with `troupe list`.');
    return;
  }
  for (const id of reset_tasks) screen.line(`  ${inert(id)}`);
  const model = output.model === null ? '' : `, with ${inert(output.model)}`;
  const left = preserved_tasks.length === 0 ? '' : `; ${preserved_tasks.length} left as they are`;
  const done = plan_only ? 'would be opened again' : 'opened again';
  screen.line(`${plural(reset_tasks.length, 'task')} ${done}${model}${left}.`);
  const next = plan_only ? 'Leave out --plan-only to do it.' : `Take it back with \`troupe runs restore ${run_id}\`.`;
  screen.line(screen.colour.dim(next));
}
