import { FROM_PROJECT } from '#kernel/graph-folder.js';
import { cut, inert, plural, shellWord } from '#kernel/text.js';
import type { AnswerOf, Renderers, Screen } from '#surfaces/cli/screen.js';
import { printColumns, printTable } from '#surfaces/cli/table.js';

/** Name that `--from` accepts: `PEER:ID` for a function of a peer. */
const nameOf = ({ peer, id }: AnswerOf<'func.list'>['functions'][number]) =>
  peer === undefined ? id : `${peer}:${id}`;

type Function = AnswerOf<'func.show'>;
type Input = NonNullable<Function['inputs']>[number];
type Template = NonNullable<Function['tasks']>[number];

function inputRow(input: Input): string[] {
  const requirement =
    input.required === true
      ? 'required'
      : input.default === undefined
        ? 'optional'
        : `default ${valueWords(input.default)}`;
  const example = input.example === undefined ? '' : `such as ${valueWords(input.example)}`;
  return [
    input.name,
    input.type,
    requirement,
    [input.description ?? '', example].filter((text) => text !== '').join(', '),
  ];
}

function valueWords(value: unknown): string {
  return cut(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), 80);
}

function printTasks(tasks: readonly Template[], screen: Screen): void {
  if (tasks.length === 0) {
    screen.line('No fixed tasks: a model has to plan them.');
    return;
  }
  printTable(screen, tasks, [
    ['TASK=template_id'],
    { title: 'DEPENDS ON', text: (task) => inert([...(task.after ?? []), ...(task.blocked_by ?? [])].join(', ')) },
    { title: 'CYCLE', text: (task) => inert(task.cycle ? cycleWords(task.cycle) : '') },
    ['ROLE=role_hint', 'title…'],
  ]);
}

function cycleWords({ max_iterations: most, guard, delay }: NonNullable<Template['cycle']>): string {
  const when = guard === undefined ? '' : ` while ${typeof guard === 'string' ? guard : JSON.stringify(guard)}`;
  return `≤ ${most}${when}${delay === undefined ? '' : `, after ${delay}`}`;
}

/** Command-line flags for these inputs, with `…` for the values. */
export function inputWords(inputs: readonly { readonly name: string }[]): string {
  return inputs.map((input) => ` --input ${input.name}=…`).join('');
}

export const renderers = {
  /** Prints the new function, its inputs, and the command to apply it. */
  'func.extract': ({ function_id: id, file, task_count, inputs, warnings }, screen) => {
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
    const required = inputs.filter((input) => input.name === 'feature_name');
    // A function in another folder is only found by its path.
    const which = file.startsWith(`${FROM_PROJECT.functions}/`) ? inert(id) : `--from ${shellWord(inert(file))}`;
    screen.aside(`Next: ${colour.cyan(`troupe func apply ${which}${inputWords(required)} --dry-run`)}`);
  },
  /** Prints the added tasks, or with `--dry-run` those that would be added, then the tasks that are held back. */
  'func.apply': async (applied, screen, around) => {
    const { colour } = screen;
    const { tasks, held = [] } = applied;
    const count = plural(applied.task_count, 'task');
    if (tasks) {
      screen.line(colour.bold(`${inert(applied.function_id)} would add ${count}:`));
      printTable(screen, tasks, [
        ['id', 'DEPENDS ON=after'],
        { title: 'TITLE', text: (row) => `${row.paused ? '(paused) ' : ''}${inert(row.title)}`, flexible: true },
      ]);
    } else {
      screen.line(colour.bold(`Added ${count} of ${inert(applied.function_id)}:`));
      for (const id of applied.task_ids)
        screen.line(`  ${inert(id)}${held.includes(id) ? colour.yellow('  paused') : ''}`);
    }
    const [first] = held;
    if (first !== undefined) {
      const look = `Review it with ${colour.cyan(`troupe show ${inert(first)}`)}; start it with ${colour.cyan(`troupe resume ${inert(first)} --only`)}.`;
      screen.aside(
        `${colour.yellow('paused:')} ${plural(held.length, 'task')} with commands from elsewhere, tagged review-exec. ${tasks ? '' : look}`.trimEnd(),
      );
    }
    if (tasks) screen.aside('Nothing was changed. Run without --dry-run to add them.');
    else if (!(await around.serviceAnswers())) screen.aside(`Next: ${colour.cyan('troupe ready')}`);
  },
  /** Prints one row per function; with `--verbose` its inputs and tasks instead. */
  'func.list': ({ functions, problems, peers }, screen) => {
    const { colour } = screen;
    if (functions.length === 0 && problems.length === 0) {
      screen.line('No functions yet. Extract one from done tasks with `troupe func extract TASK --subgraph`.');
    } else if (functions[0]?.tasks) {
      for (const row of functions) printWhole(row);
    } else if (functions.length > 0) {
      printTable(screen, functions, [
        { title: 'ID', text: (row) => inert(nameOf(row)) },
        ['TASKS=task_count', 'INPUTS=input_count'],
        {
          title: 'WHAT',
          text: (row) => `${row.fixed ? '' : '(needs a model) '}${inert(row.name ?? row.description ?? '')}`,
          flexible: true,
        },
      ]);
    }
    for (const { id, message } of problems)
      screen.aside(`${colour.yellow('unusable:')} ${inert(id)}: ${inert(message)}`);
    if (peers?.length === 0) screen.aside('There are no remotes: add one with `troupe agency remote add NAME PATH`.');

    function printWhole(row: AnswerOf<'func.list'>['functions'][number]): void {
      screen.line(`${colour.bold(inert(nameOf(row)))}  ${colour.dim(inert(row.name ?? row.description ?? ''))}`);
      const inputs = (row.inputs ?? []).map(
        (input) => `${inert(input.name)} (${input.type}${input.required ? '' : ', optional'})`,
      );
      screen.line(`  ${plural(row.input_count, 'input')}${inputs.length > 0 ? `: ${inputs.join(', ')}` : ''}`);
      for (const task of row.tasks ?? []) screen.line(`  ${inert(task.template_id)}  ${colour.dim(inert(task.title))}`);
    }
  },
  /** Prints inputs, tasks and commands of a function, and the command to apply it. */
  'func.show': (answer, screen) => {
    const { colour } = screen;
    const { inputs = [], tasks = [] } = answer;
    screen.line(`${colour.bold(inert(answer.id))}  version ${answer.version}  ${colour.dim(inert(answer.name ?? ''))}`);
    if (answer.description) screen.line(`  ${inert(answer.description)}`);
    screen.line();
    screen.line(plural(inputs.length, 'input'));
    printColumns(inputs.map(inputRow), screen, (cell, column) => (column === 0 ? cell : colour.dim(cell)));
    screen.line();
    printTasks(tasks, screen);
    const commands = tasks.flatMap((task) => [task.exec, task.verify_cmd].filter((command) => command !== undefined));
    if (commands.length > 0) screen.line();
    for (const command of commands) screen.line(`  ${colour.yellow('runs')}  ${inert(cut(command, 400))}`);
    screen.aside(
      `Next: ${colour.cyan(`troupe func apply ${inert(answer.id)}${inputWords(inputs.filter((input) => input.required))} --dry-run`)}`,
    );
  },
} satisfies Partial<Renderers>;
