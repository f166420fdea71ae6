import { inert, plural } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

/** Where it lies and who reads it. */
export const render: Renderer<'graph.compact'> = ({ file, bytes, tasks, narrative, warnings }, screen) => {
  for (const warning of warnings) screen.aside(inert(warning));
  const words = narrative ? ', with an account by a model' : '';
  screen.line(`Wrote ${inert(file)}: ${plural(tasks, 'task')} in ${plural(bytes, 'byte')}${words}.`);
  screen.line(screen.colour.dim('Prompts of the scopes graph and full bring it along.'));
};
