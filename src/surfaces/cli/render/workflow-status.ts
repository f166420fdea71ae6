import { inert, plural } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';
import { printTable } from '../table.js';
import { beginsText } from './workflow-begins.js';

/** A run of a workflow, with its tasks. */
export type Run = AnswerOf<'workflow.status'>['runs'][number];

/** How runs stand; one alone with its tasks. Also what closing one came to. */
export function render(output: AnswerOf<'workflow.status' | 'workflow.close'>, screen: Screen): void {
  if (output.runs === undefined) {
    screen.line(
      `${inert(output.run)} is closed: ${output.outcome}, ${plural(output.abandoned.length, 'task')} abandoned.`,
    );
    return;
  }
  const { runs, begins } = output;
  for (const each of begins) screen.line(`${inert(each.workflow)} ${beginsText(each)}`);
  const [only] = runs;
  if (!only) {
    screen.line('No workflow was run yet. See them with `troupe workflow list`.');
    return;
  }
  if (runs.length === 1) {
    printRun(only, screen);
    return;
  }
  printTable(screen, runs, [
    { title: 'RUN', text: (run) => inert(run.run) },
    { title: 'WORKFLOW', text: (run) => inert(run.workflow) },
    { title: 'OUTCOME', text: (run) => run.outcome },
    { title: 'DONE', text: (run) => `${run.done}/${run.total}`, right: true },
  ]);
}

/** One run with its tasks. */
export function printRun({ run, outcome, done, total, tasks }: Run, screen: Screen): void {
  screen.line(screen.colour.bold(`${inert(run)}: ${outcome}, ${done} of ${plural(total, 'task')} done`));
  printTable(screen, tasks, [
    { title: 'ID', text: (task) => inert(task.id) },
    { title: 'STATUS', text: (task) => task.status },
    { title: 'WHO', text: (task) => inert(task.member ?? '') },
    { title: 'TITLE', text: (task) => inert(task.title), flexible: true },
  ]);
}
