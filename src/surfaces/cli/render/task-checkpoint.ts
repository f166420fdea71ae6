import { inert } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';

/** One that was just left, or those there are. */
export function render(output: AnswerOf<'task.checkpoint'>, screen: Screen): void {
  const { colour } = screen;
  const id = inert(output.task_id);
  if (output.checkpoints === undefined) {
    screen.line(`Kept: the next attempt at ${id} is told this.`);
    return;
  }
  if (output.checkpoints.length === 0) {
    screen.line(`No checkpoints of ${id}. Leave one with \`troupe checkpoint ${id} -s "…"\`.`);
    return;
  }
  for (const { agent_id, timestamp, type, summary, files_modified } of output.checkpoints) {
    const when = colour.dim(timestamp.slice(0, 16).replace('T', ' '));
    screen.line(`${when}  ${colour.bold(inert(agent_id))}${type === 'auto' ? colour.dim('  auto') : ''}`);
    for (const line of inert(summary, true).split(/\r?\n/)) screen.line(`   ${line}`);
    if (files_modified.length > 0) screen.line(colour.dim(`   ${inert(files_modified.join(', '))}`));
  }
}
