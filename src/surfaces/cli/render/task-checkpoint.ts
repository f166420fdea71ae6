import { inert } from '#kernel/text.js';
import type { Screen } from '../screen.js';

interface Row {
  readonly task_id: string;
  readonly agent_id: string;
  readonly timestamp: string;
  readonly type: string;
  readonly summary: string;
  readonly files_modified: readonly string[];
}

/** One that was just left, or those there are. */
export function render(output: Row | { task_id: string; checkpoints: readonly Row[] }, screen: Screen): void {
  const { colour } = screen;
  const id = inert(output.task_id);
  if (!('checkpoints' in output)) {
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
