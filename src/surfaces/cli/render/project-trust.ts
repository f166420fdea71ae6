import { inert, plural } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';

const TASKS_NAMED = 3;

/** Every command in full, before anything else is said: a cut one could hide its end. */
export function render(output: AnswerOf<'project.trust'>, screen: Screen): void {
  const { colour } = screen;
  if (output.tasks === 0) screen.line('No command of this graph waits for your trust.');
  else {
    const each =
      output.commands.length === output.tasks ? '' : `, ${plural(output.commands.length, 'different command')}`;
    screen.line(
      colour.bold(
        `${plural(output.tasks, 'task')} would run a command that nobody on this machine has agreed to${each}:`,
      ),
    );
  }
  for (const { command, tasks } of output.commands) {
    const more = tasks.length > TASKS_NAMED ? ` and ${tasks.length - TASKS_NAMED} more` : '';
    screen.line(`  ${inert(command)}`);
    screen.line(colour.dim(`    ${inert(tasks.slice(0, TASKS_NAMED).join(', '))}${more}`));
  }
  if (output.settings.length > 0) screen.line(colour.bold('Its settings say where messages go:'));
  for (const { key, value } of output.settings) screen.line(`  ${inert(key)} = ${inert(value)}`);
  screen.line();
  screen.line(verdict(output));
}

function verdict({ folder, trusted, changed, before }: AnswerOf<'project.trust'>): string {
  const where = inert(folder);
  if (!trusted)
    return changed ? `${where} is no longer trusted.` : `${where} is not trusted. Let them run with \`troupe trust\`.`;
  if (before === undefined) return `Trusted: ${where}. Take it back with \`troupe trust --withdraw\`.`;
  const since = `${where} is trusted since ${before.at.slice(0, 10)}`;
  return before.same
    ? `${since}.`
    : `${since}; its commands or settings were others then (${plural(before.commands, 'task')}).`;
}
