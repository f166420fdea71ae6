import type { Doer } from '#core/insight/done-by.js';
import { inert, plural } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';

/** One task, why this one, and how to take it. */
export function render(
  { task, waiting_for_it: waiting, ready, reason }: AnswerOf<'analysis.next'>,
  screen: Screen,
): void {
  const { colour } = screen;
  if (task === null) {
    screen.line('Nothing is ready. See what it waits for with `troupe status`.');
    return;
  }
  const who = task.member === null ? '' : `  ${inert(task.member)}`;
  screen.line(`${colour.bold(inert(task.id))}  ${inert(task.title)}${colour.dim(who)}`);
  const others = ready > 1 ? `, one of ${ready} ready` : '';
  screen.line(colour.dim(`  ${reason}${waiting > 0 ? ` (${plural(waiting, 'task')})` : ''}${others}`));
  screen.line(`  ${TAKEN[task.done_by](inert(task.id))}`);
}

const TAKEN: Readonly<Record<Doer, (id: string) => string>> = {
  command: () => 'It has a command: a service does it, `troupe service start`.',
  client: (id) => `An agent does it: \`troupe service start\`, or \`troupe spawn ${id}\` at once.`,
  person: (id) => `Take it with \`troupe claim ${id}\`.`,
};
