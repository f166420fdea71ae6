import { inert, plural } from '#kernel/text.js';
import { bar } from '../chart.js';
import type { AnswerOf, Screen } from '../screen.js';
import { printTable } from '../table.js';
import { hoursText, idColumn, numberText, statusColumn, titleColumn } from './analysis-words.js';

type Forecast = AnswerOf<'analysis.forecast'>;

const BAR = 20;
const BLOCKERS = 5;

/** When it ends, what is left, and what holds it up. */
export function render(output: Forecast, screen: Screen): void {
  const { remaining_work: work, scenarios, blockers, critical_path } = output;
  const { colour } = screen;
  const total = work.open_tasks + work.blocked_tasks + work.in_progress_tasks;
  if (total === 0) {
    screen.line('Nothing is left to do. Add a task with `troupe add "Title"`.');
    return;
  }
  screen.line(colour.bold('Finished'));
  if (scenarios.every((row) => row.completion_date === null)) screen.line(`  ${unknownBecause(output)}`);
  else
    printTable(screen, scenarios, [
      { title: 'SCENARIO', text: (row) => row.name },
      { title: 'BUFFER', text: (row) => `${row.buffer_percent} %`, right: true },
      { title: 'HOURS', text: (row) => numberText(row.estimated_hours), right: true },
      {
        title: 'WEEKS',
        text: (row) => (row.weeks_to_complete === null ? '–' : numberText(row.weeks_to_complete)),
        right: true,
      },
      ...(work.total_cost === undefined
        ? []
        : [
            {
              title: 'COST',
              text: (row: Forecast['scenarios'][number]) => numberText(row.estimated_cost ?? 0),
              right: true as const,
            },
          ]),
      { title: 'DATE', text: (row) => row.completion_date?.slice(0, 10) ?? '–' },
    ]);
  screen.line();
  const cost = work.total_cost === undefined ? '' : `, cost ${numberText(work.total_cost)}`;
  screen.line(`${colour.bold('Left')}  ${plural(total, 'task')}, ${hoursText(work.total_hours)}${cost}`);
  const parts = [
    { name: 'in progress', tasks: work.in_progress_tasks, hours: work.in_progress_hours },
    { name: 'can start', tasks: work.open_tasks, hours: work.open_hours },
    { name: 'has to wait', tasks: work.blocked_tasks, hours: work.blocked_hours },
  ];
  for (const part of parts) {
    const line = `  ${part.name.padEnd(11)}  ${String(part.tasks).padStart(6)}  ${hoursText(part.hours).padStart(10)}  `;
    screen.line(`${line}${bar(part.tasks, total, BAR, screen)}`.trimEnd());
  }
  if (blockers.length > 0) {
    screen.line();
    screen.line(colour.bold('Holds up most'));
    printTable(screen, blockers.slice(0, BLOCKERS), [
      idColumn(),
      statusColumn(screen),
      { title: 'WAITING', text: (row) => String(row.tasks_blocked), right: true },
      titleColumn(),
    ]);
  }
  if (critical_path.length > 1) {
    const ends = `${inert(critical_path[0]?.id ?? '')} … ${inert(critical_path.at(-1)?.id ?? '')}`;
    screen.line();
    screen.line(`Longest chain: ${plural(critical_path.length, 'task')}, ${ends}: \`troupe critical-path\`.`);
  }
}

function unknownBecause({ has_estimates, has_velocity_data }: Forecast): string {
  if (!has_estimates)
    return 'No date: no unfinished task says how long it takes. Say it with `troupe add "Title" --hours N`.';
  if (!has_velocity_data) return 'No date: nothing with estimated hours was done in the last four weeks.';
  return 'No date: it lies more than a hundred years ahead.';
}
