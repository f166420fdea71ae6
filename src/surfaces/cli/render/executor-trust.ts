import { inert } from '#kernel/text.js';
import type { AnswerOf, Renderer } from '#surfaces/cli/screen.js';

/** All it would do, in full, before anything else is said: a cut one could hide its end. */
export const render: Renderer<'executor.trust'> = (output, screen) => {
  const { colour } = screen;
  screen.line(colour.bold(`${inert(output.file)} starts:`));
  screen.line(`  ${output.command.map((word) => inert(JSON.stringify(word))).join(' ')}`);
  for (const [name, value] of Object.entries(output.env)) screen.line(`  ${inert(name)}=${inert(value)}`);
  if (output.working_dir !== undefined) screen.line(`  in ${inert(output.working_dir)}`);
  if (output.template !== undefined) {
    screen.line(colour.dim('  and says:'));
    for (const line of output.template.trimEnd().split('\n')) screen.line(`    ${inert(line)}`);
  }
  screen.line();
  screen.line(verdict(output));
};

function verdict({ name, trusted, changed }: AnswerOf<'executor.trust'>): string {
  if (trusted) {
    const since = changed ? 'Trusted from now on, as it stands' : 'Trusted';
    return `${since}. Take it back with \`troupe executor trust ${inert(name)} --withdraw\`.`;
  }
  return changed ? 'No longer trusted.' : `Not trusted. Let it be used with \`troupe executor trust ${inert(name)}\`.`;
}
