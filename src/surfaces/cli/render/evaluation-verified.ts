import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

export const render: Renderer<'evaluation.verify'> = (output, screen) => {
  const { task_id, verdict, reason = '', score, warnings = [], prompt } = output;
  const { colour } = screen;
  const id = colour.bold(inert(task_id));
  if (prompt !== undefined) screen.line(inert(prompt, true));
  if (verdict === 'moot') screen.line(`${id}: nothing to look into, as ${inert(reason)}.`);
  if (verdict === 'confirmed')
    screen.line(`${id} is ${colour.green('confirmed')}, with a flip score of ${score}: ${inert(reason)}`);
  if (verdict === 'rejected') {
    screen.line(`${id} is ${colour.red('rejected')} and has failed: ${inert(reason)}`);
    screen.aside(`Next: ${colour.cyan(`troupe retry ${inert(task_id)}`)}`);
  }
  for (const warning of warnings) screen.line(colour.yellow(inert(warning)));
};
