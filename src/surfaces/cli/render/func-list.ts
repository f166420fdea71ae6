import { inert, plural } from '#kernel/text.js';
import type { AnswerOf, Renderer } from '#surfaces/cli/screen.js';
import { printTable } from '../table.js';

/** A row a function; with `--verbose` what it asks for and what it adds below. */
export const render: Renderer<'func.list'> = ({ functions, problems, peers }, screen) => {
  const { colour } = screen;
  if (functions.length === 0 && problems.length === 0) {
    screen.line('No functions yet. Make one of finished tasks with `troupe func extract TASK --subgraph`.');
  } else if (functions[0]?.tasks) {
    for (const row of functions) printWhole(row);
  } else if (functions.length > 0) {
    printTable(screen, functions, [
      { title: 'ID', text: (row) => inert(row.id) },
      { title: 'TASKS', text: (row) => String(row.task_count), right: true },
      { title: 'INPUTS', text: (row) => String(row.input_count), right: true },
      {
        title: 'WHAT',
        text: (row) => `${row.fixed ? '' : '(needs a model) '}${inert(row.name ?? row.description ?? '')}`,
        flexible: true,
      },
    ]);
  }
  for (const { id, message } of problems) screen.aside(`${colour.yellow('unusable:')} ${inert(id)}: ${inert(message)}`);
  if (peers?.length === 0) screen.aside('No peers are configured: these are the functions of this project.');

  function printWhole(row: AnswerOf<'func.list'>['functions'][number]): void {
    screen.line(`${colour.bold(inert(row.id))}  ${colour.dim(inert(row.name ?? row.description ?? ''))}`);
    const inputs = (row.inputs ?? []).map(
      (input) => `${inert(input.name)} (${input.type}${input.required ? '' : ', optional'})`,
    );
    screen.line(`  ${plural(row.input_count, 'input')}${inputs.length > 0 ? `: ${inputs.join(', ')}` : ''}`);
    for (const task of row.tasks ?? []) screen.line(`  ${inert(task.template_id)}  ${colour.dim(inert(task.title))}`);
  }
};
