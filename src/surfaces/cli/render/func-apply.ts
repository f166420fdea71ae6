import { inert, plural } from '#kernel/text.js';
import type { AwareRenderer } from '#surfaces/cli/screen.js';
import { printTable } from '../table.js';

/** The new tasks; of a dry run what they would be. Then what keeps some of them from starting. */
export const render: AwareRenderer<'func.apply'> = async (applied, screen, around) => {
  const { colour } = screen;
  const { tasks, held = [] } = applied;
  const count = plural(applied.task_count, 'task');
  if (tasks) {
    screen.line(colour.bold(`${inert(applied.function_id)} would add ${count}:`));
    printTable(screen, tasks, [
      { title: 'ID', text: (row) => inert(row.id) },
      { title: 'AFTER', text: (row) => inert(row.after.join(', ')) },
      { title: 'TITLE', text: (row) => `${row.paused ? '(paused) ' : ''}${inert(row.title)}`, flexible: true },
    ]);
  } else {
    screen.line(colour.bold(`Added ${count} of ${inert(applied.function_id)}:`));
    for (const id of applied.task_ids)
      screen.line(`  ${inert(id)}${held.includes(id) ? colour.yellow('  paused') : ''}`);
  }
  const [first] = held;
  if (first !== undefined) {
    const look = `Look with ${colour.cyan(`troupe show ${inert(first)}`)}; let it start with ${colour.cyan(`troupe resume ${inert(first)} --only`)}.`;
    screen.aside(
      `${colour.yellow('held back:')} ${plural(held.length, 'task')} with commands from elsewhere, tagged review-exec. ${tasks ? '' : look}`.trimEnd(),
    );
  }
  if (tasks) screen.aside('Nothing was changed. Run it without --dry-run to add them.');
  else if (!(await around.serviceAnswers())) screen.aside(`Next: ${colour.cyan('troupe ready')}`);
};
