import { plural } from '#kernel/text.js';
import { bar, spark } from '../chart.js';
import type { AnswerOf, Screen } from '../screen.js';
import { printTable } from '../table.js';
import { hoursText, numberText } from './analysis-words.js';

const BAR = 20;
const ROWS = 12;

/** A row a week, the present one last, and what that means for the rest. */
export function render(output: AnswerOf<'analysis.velocity'>, screen: Screen): void {
  const { weeks, tasks_without_timestamp: unknown } = output;
  const { colour } = screen;
  if (weeks.every((week) => week.tasks_completed === 0)) {
    screen.line(`Nothing was done in the last ${plural(weeks.length, 'week')}. What can start is in \`troupe ready\`.`);
  } else {
    const most = Math.max(...weeks.map((week) => week.tasks_completed));
    const counts = weeks.map((week) => week.tasks_completed);
    if (weeks.length > ROWS) screen.line(`${spark(counts, screen)}  ${plural(weeks.length, 'week')}`);
    printTable(screen, weeks.slice(-ROWS), [
      { title: 'WEEK', text: (week) => agoOf(weeks.length - week.week_number) },
      { title: 'TASKS', text: (week) => String(week.tasks_completed), right: true },
      { title: ' '.repeat(BAR), text: (week) => bar(week.tasks_completed, most, BAR, screen) },
      { title: 'HOURS', text: (week) => numberText(week.hours_completed), right: true },
    ]);
    screen.line();
    const average = `${numberText(output.average_tasks_per_week)} tasks and ${hoursText(output.average_hours_per_week)} a week`;
    screen.line(`${average}, ${output.trend}${weeks.length > ROWS ? '' : `  ${spark(counts, screen)}`}`);
    if (output.weeks_to_clear !== null && output.open_tasks > 0)
      screen.line(
        `${plural(output.open_tasks, 'task')} left: about ${numberText(output.weeks_to_clear)} weeks at this speed`,
      );
  }
  if (unknown > 0) screen.line(colour.dim(`${plural(unknown, 'done task')} without a time, counted in no week`));
}

function agoOf(weeks: number): string {
  return weeks === 0 ? 'this' : weeks === 1 ? 'last' : `${weeks} ago`;
}
