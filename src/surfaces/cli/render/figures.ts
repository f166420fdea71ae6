import { STATUS_LOOK } from '#core/graph/status-look.js';
import { STATUSES } from '#core/graph/task.js';
import type { TaskAge } from '#core/insight/aging.js';
import { formatDuration } from '#kernel/duration.js';
import { inert, plural } from '#kernel/text.js';
import { type Renderers, type Screen, sharedBy } from '#surfaces/cli/screen.js';
import { printFirst, printTable } from '#surfaces/cli/table.js';
import {
  type AnalysisSection,
  bar,
  hoursText,
  numberText,
  type Sections,
  someIds,
  spark,
  statusColumn,
} from './analysis-words.js';

const AGING_BAR = 24;
const AGING_ROWS = 10;

function section(title: string, rows: readonly TaskAge[], screen: Screen): void {
  if (rows.length === 0) return;
  screen.line();
  screen.line(screen.colour.bold(title));
  printFirst(screen, rows, AGING_ROWS, [
    ['id'],
    statusColumn(screen),
    { title: 'FOR', text: (row) => formatDuration(row.age_seconds * 1_000), right: true },
    ...(rows.some((row) => row.assigned !== null)
      ? [{ title: 'WHO', text: (row: TaskAge) => inert(row.assigned ?? '') }]
      : []),
    ['title…'],
  ]);
}

type Forecast = AnalysisSection<'forecast'>;

const FORECAST_BAR = 20;
const BLOCKERS = 5;

function unknownBecause({ has_estimates, has_velocity_data }: Forecast): string {
  if (!has_estimates)
    return 'No date: no unfinished task has an estimate. Add one with `troupe add "Title" --hours N`.';
  if (!has_velocity_data) return 'No date: no estimated task was done in the last four weeks.';
  return 'No date: more than a hundred years ahead.';
}

const VELOCITY_BAR = 20;
const VELOCITY_ROWS = 12;

function agoOf(weeks: number): string {
  return weeks === 0 ? 'this' : weeks === 1 ? 'last' : `${weeks} ago`;
}

const STATS_BAR = 24;
const TAGS = 8;

const WORKLOAD_BAR = 16;

const RESOURCES_BAR = 14;

export const figuresSections = {
  /** Prints the ages of unfinished work, its oldest tasks, and claims held for more than a day. */
  aging: [
    'Age of unfinished tasks',
    ({ buckets, oldest, stale, tasks_without_timestamp: unknown }, screen) => {
      const { colour } = screen;
      const total = buckets.reduce((sum, bucket) => sum + bucket.tasks, 0);
      if (total === 0 && unknown === 0) return screen.line('No unfinished tasks. Add one with `troupe add "Title"`.');
      printTable(screen, buckets, [
        ['AGE=name', 'tasks'],
        { title: ' '.repeat(AGING_BAR), text: (row) => bar(row.tasks, total, AGING_BAR, screen) },
      ]);
      section('Oldest', oldest, screen);
      section('Held for more than a day', stale, screen);
      const [first] = stale;
      if (first) screen.line(`Release one with \`troupe unclaim ${inert(first.id)}\`.`);
      if (unknown > 0) screen.line(colour.dim(`${plural(unknown, 'task')} without a time`));
    },
  ],
  /** Prints the cost and the hours of a task with all its dependencies, and the tasks that lack an estimate. */
  cost: [
    'Cost',
    ({ task_id, total_cost, total_hours, missing_estimates: missing }, screen) => {
      const { colour } = screen;
      screen.line(`${colour.bold(inert(task_id))} with all its dependencies`);
      screen.line(`  ${colour.dim('cost ')}  ${numberText(total_cost)}`);
      screen.line(`  ${colour.dim('hours')}  ${hoursText(total_hours)}`);
      if (missing.length === 0) return;
      const verb = missing.length === 1 ? 'says' : 'say';
      screen.line(`  ${colour.dim(`${plural(missing.length, 'task')} ${verb} neither: ${someIds(missing)}`)}`);
    },
  ],
  /** Prints estimated completion dates, the remaining work, and the tasks that block the most. */
  forecast: [
    'Forecast',
    (output, screen) => {
      const { remaining_work: work, scenarios, blockers, critical_path } = output;
      const { colour } = screen;
      const total = work.open_tasks + work.blocked_tasks + work.in_progress_tasks;
      if (total === 0) return screen.line('Nothing is left to do. Add a task with `troupe add "Title"`.');
      screen.line(colour.bold('Finished'));
      if (scenarios.every((row) => row.completion_date === null)) screen.line(`  ${unknownBecause(output)}`);
      else
        printTable(screen, scenarios, [
          ['SCENARIO=name'],
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
        { name: STATUS_LOOK['in-progress'].word, tasks: work.in_progress_tasks, hours: work.in_progress_hours },
        { name: STATUS_LOOK.ready.word, tasks: work.open_tasks, hours: work.open_hours },
        { name: STATUS_LOOK.open.word, tasks: work.blocked_tasks, hours: work.blocked_hours },
      ];
      for (const part of parts) {
        const line = `  ${part.name.padEnd(11)}  ${String(part.tasks).padStart(6)}  ${hoursText(part.hours).padStart(10)}  `;
        screen.line(`${line}${bar(part.tasks, total, FORECAST_BAR, screen)}`.trimEnd());
      }
      if (blockers.length > 0) {
        screen.line();
        screen.line(colour.bold('Blocks most'));
        printTable(screen, blockers.slice(0, BLOCKERS), [
          ['id'],
          statusColumn(screen),
          ['WAITING=tasks_blocked', 'title…'],
        ]);
      }
      if (critical_path.length > 1) {
        const ends = `${inert(critical_path[0]?.id ?? '')} … ${inert(critical_path.at(-1)?.id ?? '')}`;
        screen.line();
        screen.line(
          `Longest chain: ${plural(critical_path.length, 'task')}, ${ends}: \`troupe analyze --only critical-path\`.`,
        );
      }
    },
  ],
  /** Prints one row per week, the present one last, then the average and the weeks left at that rate. */
  velocity: [
    'Velocity',
    (output, screen) => {
      const { weeks, tasks_without_timestamp: unknown } = output;
      const { colour } = screen;
      if (weeks.every((week) => week.tasks_completed === 0)) {
        screen.line(
          `Nothing was done in the last ${plural(weeks.length, 'week')}. \`troupe ready\` lists the ready tasks.`,
        );
      } else {
        const most = Math.max(...weeks.map((week) => week.tasks_completed));
        const counts = weeks.map((week) => week.tasks_completed);
        if (weeks.length > VELOCITY_ROWS) screen.line(`${spark(counts, screen)}  ${plural(weeks.length, 'week')}`);
        printTable(screen, weeks.slice(-VELOCITY_ROWS), [
          { title: 'WEEK', text: (week) => agoOf(weeks.length - week.week_number) },
          ['TASKS=tasks_completed'],
          { title: ' '.repeat(VELOCITY_BAR), text: (week) => bar(week.tasks_completed, most, VELOCITY_BAR, screen) },
          { title: 'HOURS', text: (week) => numberText(week.hours_completed), right: true },
        ]);
        screen.line();
        const average = `${numberText(output.average_tasks_per_week)} tasks and ${hoursText(output.average_hours_per_week)} a week`;
        screen.line(`${average}, ${output.trend}${weeks.length > VELOCITY_ROWS ? '' : `  ${spark(counts, screen)}`}`);
        if (output.weeks_to_clear !== null && output.open_tasks > 0)
          screen.line(
            `${plural(output.open_tasks, 'task')} left: about ${numberText(output.weeks_to_clear)} weeks at this rate`,
          );
      }
      if (unknown > 0) screen.line(colour.dim(`${plural(unknown, 'done task')} without a time, counted in no week`));
    },
  ],
  /** Prints a bar per status, then the totals. */
  stats: [
    'Statistics',
    (stats, screen) => {
      const { colour } = screen;
      if (stats.total_tasks === 0)
        return screen.line('No tasks yet. Add one with `troupe add "Title"`, or run a review with `troupe run`.');
      screen.line(
        `${colour.bold(plural(stats.total_tasks, 'task'))}, ${plural(stats.edges, 'edge')}, ${plural(stats.cycles, 'cycle')}`,
      );
      const rows = STATUSES.map((status) => ({ status, count: stats.by_status[status] })).filter(
        (row) => row.count > 0,
      );
      printTable(screen, rows, [
        statusColumn(screen),
        ['TASKS=count'],
        { title: ' '.repeat(STATS_BAR), text: (row) => bar(row.count, stats.total_tasks, STATS_BAR, screen) },
      ]);
      const facts: [string, string][] = [];
      if (stats.estimated_hours > 0)
        facts.push(['hours', `${hoursText(stats.remaining_hours)} of ${hoursText(stats.estimated_hours)} left`]);
      if (stats.estimated_cost > 0) facts.push(['cost', numberText(stats.estimated_cost)]);
      if (stats.average_seconds !== null) {
        // Times of tasks are full seconds.
        const took = stats.average_seconds < 1 ? 'less than a second' : formatDuration(stats.average_seconds * 1_000);
        facts.push(['took', `${took} on average`]);
      }
      if (stats.retries > 0) facts.push(['failures', String(stats.retries)]);
      if (stats.tokens > 0)
        facts.push(['tokens', `${stats.tokens}${stats.spent_usd > 0 ? `, $${stats.spent_usd.toFixed(2)}` : ''}`]);
      if (stats.tags.length > 0)
        facts.push([
          'tags',
          stats.tags
            .slice(0, TAGS)
            .map(({ tag, tasks }) => `${inert(tag)} ${tasks}`)
            .join(', '),
        ]);
      if (facts.length > 0) screen.line();
      for (const [name, value] of facts) screen.line(`${colour.dim(name.padEnd(8))}  ${value}`);
    },
  ],
  /** Prints one row per person with unfinished tasks, and one for unassigned tasks. */
  workload: [
    'Workload',
    ({ people, unassigned }, screen) => {
      const free = unassigned.task_ids.length;
      if (people.length === 0)
        return screen.line(
          free === 0
            ? 'No unfinished tasks. Add one with `troupe add "Title"`.'
            : `No one has a task: ${plural(free, 'unfinished task')} without a member. Assign one with \`troupe edit ${inert(unassigned.task_ids[0] ?? '')} --member NAME\`.`,
        );
      const rows = free > 0 ? [...people, { ...unassigned, name: '–' }] : people;
      const most = Math.max(...rows.map((row) => row.task_ids.length));
      printTable(screen, rows, [
        ['WHO=name'],
        { title: 'TASKS', text: (row) => String(row.task_ids.length), right: true },
        { title: ' '.repeat(WORKLOAD_BAR), text: (row) => bar(row.task_ids.length, most, WORKLOAD_BAR, screen) },
        ['in_progress', 'ready', 'waiting'],
        { title: 'HOURS', text: (row) => numberText(row.hours), right: true },
      ]);
    },
  ],
  /** Prints required against available amounts; excess is also stated in words. */
  resources: [
    'Resources',
    ({ resources, unknown }, screen) => {
      const { colour } = screen;
      if (resources.length === 0 && unknown.length === 0)
        return screen.line('No resources. Add one with `troupe resource add budget --available 500 --unit usd`.');
      if (resources.length > 0)
        printTable(screen, resources, [
          { title: 'RESOURCE', text: (row) => inert(row.name ?? row.id) },
          { title: 'REQUIRED', text: (row) => numberText(row.required), right: true },
          {
            title: 'AVAILABLE',
            text: (row) => (row.available === null ? '–' : numberText(row.available)),
            right: true,
          },
          ['unit'],
          {
            title: ' '.repeat(RESOURCES_BAR),
            text: (row) => bar(row.required, row.available ?? 0, RESOURCES_BAR, screen),
            paint: (text, row) => (row.over ? colour.red(text) : text),
          },
          { title: '', text: (row) => (row.over ? `${numberText(row.required - (row.available ?? 0))} too much` : '') },
          { title: 'TASKS', text: (row) => someIds(row.tasks, 4), flexible: true },
        ]);
      for (const { id, tasks } of unknown) {
        screen.line(
          `${inert(id)} is required by ${someIds(tasks, 4)} and unknown: \`troupe resource add ${inert(id)}\`.`,
        );
      }
    },
  ],
} satisfies Partial<Sections>;

export const renderers = {
  /** Prints the answer of `resource add`, or a list of resources. */
  ...sharedBy(['resource.add', 'resource.list'], ({ resource, changed, resources }, screen) => {
    if (resource !== undefined)
      return screen.line(changed === true ? `${inert(resource)} is saved` : `${inert(resource)} is unchanged`);
    if (!resources || resources.length === 0)
      return screen.line('No resources. Add one with `troupe resource add budget --available 500 --unit usd`.');
    const text = (field: string) => (row: Readonly<Record<string, unknown>>) => {
      const value = row[field];
      return typeof value === 'string' || typeof value === 'number' ? inert(String(value)) : '';
    };
    printTable(screen, resources, [
      { title: 'ID', text: text('id') },
      { title: 'TYPE', text: text('type') },
      { title: 'AVAILABLE', text: text('available'), right: true },
      { title: 'UNIT', text: text('unit') },
      { title: 'NAME', text: text('name'), flexible: true },
    ]);
  }),
} satisfies Partial<Renderers>;
