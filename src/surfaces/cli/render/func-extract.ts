import { cut, inert, plural } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';
import { printColumns } from './casting-columns.js';
import { inputWords } from './func-words.js';

/** What was made, which inputs were found, and how it is applied. */
export const render: Renderer<'func.extract'> = ({ function_id: id, file, task_count, inputs, warnings }, screen) => {
  const { colour } = screen;
  screen.line(
    `${colour.bold(inert(id))}  ${plural(task_count, 'task')}, ${plural(inputs.length, 'input')}  ${colour.dim(inert(file))}`,
  );
  printColumns(
    inputs.map((input) => [input.name, input.type, cut(String(input.value ?? ''), 200)]),
    screen,
    (cell, column) => (column === 0 ? cell : colour.dim(cell)),
  );
  for (const warning of warnings) screen.aside(`${colour.yellow('warning')}: ${inert(warning)}`);
  const asked = inputs.filter((input) => input.name === 'feature_name');
  screen.aside(`Next: ${colour.cyan(`troupe func apply ${inert(id)}${inputWords(asked)} --dry-run`)}`);
};
