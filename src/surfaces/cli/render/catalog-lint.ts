import { inert, plural } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

export const render: Renderer<'catalog.lint'> = ({ ok, files, problems }, screen) => {
  const { colour } = screen;
  for (const { message } of problems) screen.line(`${colour.red('error')} ${inert(message)}`);
  if (!ok) screen.line(`${plural(problems.length, 'problem')} in ${plural(files, 'file')}`);
  else if (files > 0) screen.line(`${plural(files, 'file')}, nothing wrong`);
  else
    screen.line(
      'This project adds nothing to the catalog. Entries go to .squad/catalog/archetypes and .squad/catalog/groupings.',
    );
};
