import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

interface Output {
  readonly name: string;
  readonly file: string;
  readonly trusted: boolean;
  readonly changed: boolean;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly working_dir?: string;
  readonly template?: string;
}

/** All it would do, in full, before anything else is said: a cut one could hide its end. */
export const render: Renderer<Output> = (output, screen) => {
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

function verdict({ name, trusted, changed }: Output): string {
  if (trusted) {
    const since = changed ? 'Trusted from now on, as it stands' : 'Trusted';
    return `${since}. Take it back with \`troupe executor trust ${inert(name)} --withdraw\`.`;
  }
  return changed ? 'No longer trusted.' : `Not trusted. Let it be used with \`troupe executor trust ${inert(name)}\`.`;
}
