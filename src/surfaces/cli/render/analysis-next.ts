import type { NextUp } from '#core/analysis/next.js';
import { inert, plural } from '#kernel/text.js';
import type { Screen } from '../screen.js';

/** One task, why this one, and how to take it. */
export function render({ task, waiting_for_it: waiting, ready, reason }: NextUp, screen: Screen): void {
  const { colour } = screen;
  if (task === null) {
    screen.line('Nothing is ready. See what it waits for with `troupe status`.');
    return;
  }
  const who = task.member === null ? '' : `  ${inert(task.member)}`;
  screen.line(`${colour.bold(inert(task.id))}  ${inert(task.title)}${colour.dim(who)}`);
  const others = ready > 1 ? `, one of ${ready} ready` : '';
  screen.line(colour.dim(`  ${reason}${waiting > 0 ? ` (${plural(waiting, 'task')})` : ''}${others}`));
  screen.line(
    task.exec
      ? `  It has a command: \`troupe service start\` has it done.`
      : `  Take it with \`troupe claim ${inert(task.id)}\`.`,
  );
}
