import { inert } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';

/** All it would run, in full, before anything else is said. */
export function render(
  { id, trusted, changed, sha256, commands, released }: AnswerOf<'workflow.trust'>,
  screen: Screen,
): void {
  const { colour } = screen;
  if (commands.length === 0) screen.line(`${inert(id)} runs no command.`);
  else screen.line(colour.bold(`${inert(id)} runs:`));
  for (const { node, run } of commands) screen.line(`  ${inert(node)}: ${inert(run)}`);
  screen.line();
  if (sha256 === undefined) screen.line('It is shipped with Troupe: its commands may run.');
  else if (trusted) screen.line(changed ? 'Trusted from now on, as it stands.' : 'Trusted.');
  else
    screen.line(
      changed ? 'No longer trusted.' : `Not trusted. Let it run with \`troupe workflow trust ${inert(id)}\`.`,
    );
  for (const task of released) screen.line(`${inert(task)} may start now.`);
}
