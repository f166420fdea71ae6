import { inert } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';

export function render({ folder, created, trusted, merge_driver }: AnswerOf<'project.init'>, screen: Screen): void {
  screen.line(created ? `Made ${inert(folder)}.` : `${inert(folder)} is there already.`);
  if (!trusted) {
    const why = created
      ? 'Your own settings cannot be written, so this machine does not remember that you made it.'
      : 'It was not made on this machine: its commands do not run before you trust it.';
    screen.aside(`${screen.colour.yellow('warning:')} ${why} See \`troupe trust --show\`.`);
  }
  if (merge_driver === 'configured') screen.line('Git merges its branches by task and field.');
  if (merge_driver === 'absent')
    screen.aside('Work on branches? `troupe init --merge-driver` lets git merge the graph by task and field.');
  screen.line('Next: `troupe add "Title"`, or `troupe run` to have a team review this repository.');
}
