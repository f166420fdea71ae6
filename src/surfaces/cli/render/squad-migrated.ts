import { inert, plural } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

export const render: Renderer<'squad.migrate'> = (result, screen) => {
  const { colour } = screen;
  if (result.moved.length + result.copied.length === 0) {
    screen.line('Nothing to migrate: the state is in the form of this program');
    return;
  }
  const said = result.dry_run ? 'would be read in' : 'were read in';
  screen.line(colour.bold(`${plural(result.members, 'member')} ${said}`));
  for (const file of result.written) screen.line(`  ${result.dry_run ? 'writes' : 'wrote'}  ${inert(file)}`);
  for (const { from, to } of result.moved)
    screen.line(`  ${result.dry_run ? 'moves' : 'moved'}  ${inert(from)} ${colour.dim(`to ${inert(to)}`)}`);
  for (const { from, to } of result.copied)
    screen.line(`  ${result.dry_run ? 'copies' : 'copied'}  ${inert(from)} ${colour.dim(`to ${inert(to)}`)}`);
  for (const { file, line } of result.not_understood)
    screen.line(colour.yellow(`  not understood: ${inert(file)}:${line}; it stays in the file that is moved`));
  screen.aside(`Next: ${colour.cyan(result.dry_run ? 'troupe squad migrate' : 'troupe squad render')}`);
};
