import { cut, inert, plural } from '#kernel/text.js';
import type { AnswerOf, Renderer, Screen } from '#surfaces/cli/screen.js';
import { printTable } from '../table.js';
import { printColumns } from './casting-columns.js';
import { inputWords } from './func-words.js';

type Function = AnswerOf<'func.show'>;
type Input = NonNullable<Function['inputs']>[number];
type Template = NonNullable<Function['tasks']>[number];

/** What it asks for, what it adds, what it would run, and how it is applied. */
export const render: Renderer<'func.show'> = (shown, screen) => {
  const { colour } = screen;
  const { inputs = [], tasks = [] } = shown;
  screen.line(`${colour.bold(inert(shown.id))}  version ${shown.version}  ${colour.dim(inert(shown.name ?? ''))}`);
  if (shown.description) screen.line(`  ${inert(shown.description)}`);
  screen.line();
  screen.line(plural(inputs.length, 'input'));
  printColumns(inputs.map(inputRow), screen, (cell, column) => (column === 0 ? cell : colour.dim(cell)));
  screen.line();
  printTasks(tasks, screen);
  const commands = tasks.flatMap((task) => [task.exec, task.verify_cmd].filter((command) => command !== undefined));
  if (commands.length > 0) screen.line();
  for (const command of commands) screen.line(`  ${colour.yellow('runs')}  ${inert(cut(command, 400))}`);
  screen.aside(
    `Next: ${colour.cyan(`troupe func apply ${inert(shown.id)}${inputWords(inputs.filter((input) => input.required))} --dry-run`)}`,
  );
};

function inputRow(input: Input): string[] {
  const said =
    input.required === true
      ? 'required'
      : input.default === undefined
        ? 'optional'
        : `default ${valueWords(input.default)}`;
  const example = input.example === undefined ? '' : `such as ${valueWords(input.example)}`;
  return [input.name, input.type, said, [input.description ?? '', example].filter((text) => text !== '').join(', ')];
}

function valueWords(value: unknown): string {
  return cut(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), 80);
}

function printTasks(tasks: readonly Template[], screen: Screen): void {
  if (tasks.length === 0) {
    screen.line('No fixed tasks: a model would have to plan them.');
    return;
  }
  printTable(screen, tasks, [
    { title: 'TASK', text: (task) => inert(task.template_id) },
    { title: 'AFTER', text: (task) => inert([...(task.after ?? []), ...(task.blocked_by ?? [])].join(', ')) },
    { title: 'CYCLE', text: (task) => inert(task.cycle ? cycleWords(task.cycle) : '') },
    { title: 'ROLE', text: (task) => inert(task.role_hint ?? '') },
    { title: 'TITLE', text: (task) => inert(task.title), flexible: true },
  ]);
}

function cycleWords({ max_iterations: most, guard, delay }: NonNullable<Template['cycle']>): string {
  const when = guard === undefined ? '' : ` while ${typeof guard === 'string' ? guard : JSON.stringify(guard)}`;
  return `≤ ${most}${when}${delay === undefined ? '' : `, after ${delay}`}`;
}
