import { inert, plural } from '#kernel/text.js';
import type { AnswerOf, AwareRenderer, Screen } from '#surfaces/cli/screen.js';
import { printTable } from '../table.js';

export const render: AwareRenderer<'workflow.run'> = async (started, screen, around) => {
  const { colour } = screen;
  const { run, workflow, tasks, task_ids, warnings } = started;
  const head = started.report_folder === undefined ? inert(workflow) : 'Review';
  screen.line(colour.bold(`${head} “${inert(run)}”: ${plural(task_ids.length, 'task')}`));
  if (tasks) preview(tasks, screen);
  else for (const id of task_ids) screen.line(`  ${inert(id)}`);
  for (const warning of warnings) screen.aside(colour.yellow(inert(warning)));
  if (tasks) {
    screen.aside(`Nothing was added. Leave out ${colour.cyan('--dry-run')} to add them.`);
    return;
  }
  const answers = await around.serviceAnswers();
  if (started.report_folder === undefined) {
    const watch = colour.cyan(`troupe workflow status ${inert(run)}`);
    screen.aside(
      answers ? `The service runs it. See how it stands with ${watch}` : `Next: ${colour.cyan('troupe service start')}`,
    );
    return;
  }
  const watch = colour.cyan('troupe run --resume');
  const next = answers
    ? `The service runs it. Watch it with ${watch}`
    : `Next: ${watch}, or ${colour.cyan('troupe service start')}`;
  screen.aside(`The report will be in ${inert(started.report_folder)}. ${next}`);
};

function preview(tasks: NonNullable<AnswerOf<'workflow.run'>['tasks']>, screen: Screen): void {
  printTable(screen, tasks, [
    { title: 'ID', text: (task) => inert(task.id) },
    { title: 'WHO', text: (task) => (task.human ? 'a person' : inert(task.member ?? '–')) },
    {
      title: 'ROUNDS',
      text: (task) => (task.max_iterations === undefined ? '' : String(task.max_iterations)),
      right: true,
    },
    { title: 'AFTER', text: (task) => inert((task.after ?? []).join(' ')), flexible: true },
  ]);
}
