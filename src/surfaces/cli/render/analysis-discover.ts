import { inert } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';
import { firstRows, markedStatus, someIds } from './analysis-words.js';

const ROWS = 30;

/** What ended, the latest first, with what it left. */
export function render({ since, tasks, total }: AnswerOf<'analysis.discover'>, screen: Screen): void {
  const { colour } = screen;
  if (tasks.length === 0) {
    screen.line(
      `Nothing ended since ${since.slice(0, 16).replace('T', ' ')}. Look further back with \`troupe discover --since 7d\`.`,
    );
    return;
  }
  for (const task of firstRows(tasks, ROWS).shown) {
    const time = colour.dim(task.completed_at.slice(0, 16).replace('T', ' '));
    screen.line(`${time}  ${markedStatus(task.status, screen)}  ${colour.bold(inert(task.id))}  ${inert(task.title)}`);
    if (task.artifacts.length > 0) screen.line(`                  ${someIds(task.artifacts, 8)}`);
    if (task.note !== null && task.note !== 'Done') screen.line(colour.dim(`                  ${inert(task.note)}`));
  }
  if (total > ROWS) screen.line(colour.dim(`and ${total - ROWS} more`));
}
