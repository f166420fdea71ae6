import type { DoerKind } from '#core/insight/done-by.js';
import type { CoordinationSummary } from '#core/insight/next.js';
import { inert, plural } from '#kernel/text.js';
import { ago } from '#surfaces/cli/ago.js';
import type { Renderers, Screen } from '#surfaces/cli/screen.js';
import { shownState, stateMark } from '#surfaces/cli/status-mark.js';
import { printFirst, printTable } from '#surfaces/cli/table.js';
import {
  bar,
  hoursColumn,
  hoursText,
  numberText,
  type Sections,
  someIds,
  statusColumn,
  statusWithMark,
} from './analysis-words.js';

const BOTTLENECKS_BAR = 16;

const CRITICAL_PATH_ROWS = 30;
const SLACK_ROWS = 8;
const CRITICAL_PATH_BAR = 12;

const CYCLES_ROWS = 20;
const MEMBERS = 8;
const CYCLES_BAR = 10;

const IMPACT_ROWS = 20;
const CHAINS = 5;
const CHAIN_IDS = 8;

const STRUCTURE_ROWS = 15;
const IDS = 12;
const STRUCTURE_BAR = 16;

const PLAN_ROWS = 30;

const TAKEN: Readonly<Record<DoerKind, (id: string) => string>> = {
  command: () => 'It has a command: a service runs it, `troupe service start`.',
  client: (id) => `An agent does it: \`troupe service start\`, or \`troupe spawn ${id}\` at once.`,
  person: (id) => `Take it with \`troupe claim ${id}\`.`,
};

const COORDINATE_ROWS = 10;

type Row = CoordinationSummary['ready'][number] & { readonly waits_for?: readonly string[] };

function section(title: string, rows: readonly Row[], total: number, screen: Screen): void {
  screen.line(`${screen.colour.bold(title)}  ${total}`);
  printTable(screen, rows.slice(0, COORDINATE_ROWS), [
    ['id'],
    ...(rows.some((row) => row.member ?? row.assigned)
      ? [{ title: 'WHO', text: (row: Row) => inert(row.member ?? row.assigned ?? '') }]
      : []),
    ...(rows.some((row) => row.waits_for !== undefined)
      ? [{ title: 'WAITS FOR', text: (row: Row) => someIds(row.waits_for ?? [], 3) }]
      : []),
    ['title…'],
  ]);
  if (total > COORDINATE_ROWS) screen.line(screen.colour.dim(`  and ${total - COORDINATE_ROWS} more`));
}

const DISCOVER_ROWS = 30;

export const structureSections = {
  /** Prints the tasks that block most others, with advice. */
  bottlenecks: [
    'Bottlenecks',
    (output, screen) => {
      const { bottlenecks, total_tasks: total } = output;
      if (bottlenecks.length === 0)
        return screen.line(
          total === 0
            ? 'No tasks yet. Add one with `troupe add "Title"`.'
            : 'No unfinished task blocks another. `troupe ready` lists the ready tasks.',
        );
      const most = Math.max(...bottlenecks.map((row) => row.transitive_before));
      printTable(screen, bottlenecks, [
        ['id'],
        statusColumn(screen),
        ['WAITING=transitive_before'],
        {
          title: ' '.repeat(BOTTLENECKS_BAR),
          text: (row) => bar(row.transitive_before, most, BOTTLENECKS_BAR, screen),
        },
        ['DIRECT=direct_blocks', 'ADVICE=recommendation…'],
      ]);
    },
  ],
  /** Prints the critical path from its start to its end, then other tasks with little slack. */
  critical_path: [
    'Longest chain',
    (output, screen) => {
      const { critical_path: path, total_hours: total, cycles_skipped: skipped } = output;
      const { colour } = screen;
      if (path.length === 0)
        return screen.line(
          skipped > 0
            ? 'All unfinished tasks are in cycles, which have no longest chain. See `troupe analyze --only cycles`.'
            : 'No unfinished tasks. Add one with `troupe add "Title"`.',
        );
      screen.line(`${colour.bold('Critical path')}  ${plural(path.length, 'task')}, ${hoursText(total)}`);
      const most = Math.max(...path.map((row) => row.hours ?? 0));
      printFirst(screen, path, CRITICAL_PATH_ROWS, [
        ['id'],
        statusColumn(screen),
        { title: 'HOURS', text: (row) => (row.hours === null ? '–' : numberText(row.hours)), right: true },
        ...(most > 0
          ? [
              {
                title: ' '.repeat(CRITICAL_PATH_BAR),
                text: (row: (typeof path)[number]) => bar(row.hours ?? 0, most, CRITICAL_PATH_BAR, screen),
              },
            ]
          : []),
        ['title…'],
      ]);
      const onPath = new Set(path.map((row) => row.id));
      const others = output.slack_analysis.filter((row) => !onPath.has(row.id));
      if (others.length > 0 && total > 0) {
        screen.line();
        screen.line(colour.bold('Little slack'));
        printFirst(screen, others, SLACK_ROWS, [
          ['id'],
          { title: 'SLACK', text: (row) => hoursText(row.slack_hours), right: true },
          ['title…'],
        ]);
      }
      if (total === 0) screen.aside('No task has an estimate: add one with `troupe add "Title" --hours N`.');
      if (skipped > 0) screen.aside(`${plural(skipped, 'cycle')} left out: a cycle has no longest chain.`);
    },
  ],
  /** Prints one block per cycle: its iteration, last decision and members. */
  cycles: [
    'Cycles',
    ({ cycles, cycle_count }, screen) => {
      const { colour } = screen;
      if (cycle_count === 0)
        return screen.line('No cycles. Create one with `troupe edit FIRST --add-after LAST --max-iterations 3`.');
      for (const [place, cycle] of cycles.slice(0, CYCLES_ROWS).entries()) {
        if (place > 0) screen.line();
        const { max_iterations: most, iteration } = cycle;
        const loop = screen.unicode ? '↺' : '@';
        const count =
          most === null
            ? colour.red('not configured')
            : `${iteration}/${most}  ${bar(iteration, most, CYCLES_BAR, screen)}`.trimEnd();
        screen.line(`${colour.bold(`${loop} ${inert(cycle.header)}`)}  ${count}`);
        screen.line(`  ${inert(cycle.last_decision)}`);
        const members = cycle.members.slice(0, MEMBERS).map((id) => {
          const glyph = stateMark(shownState(cycle.member_statuses[id] ?? 'open', false), screen, '').trim();
          return `${glyph} ${inert(id)}`;
        });
        const more = cycle.member_count > MEMBERS ? `  and ${cycle.member_count - MEMBERS} more` : '';
        screen.line(colour.dim(`  ${members.join('  ')}${more}`));
        if (!cycle.reducible) screen.line(colour.dim('  It can be entered at other tasks than its header.'));
      }
      if (cycles.length > CYCLES_ROWS)
        screen.line(colour.dim(`and ${plural(cycles.length - CYCLES_ROWS, 'more cycle')}`));
    },
  ],
  /** Prints the risk on one line, then the affected tasks, then the paths. */
  impact: [
    'Impact',
    ({ task, direct_dependents, transitive_dependents, dependency_chains, impact_summary }, screen) => {
      const { colour } = screen;
      screen.line(
        `${statusWithMark(task.status, screen)}  ${colour.bold(inert(task.title))}  ${colour.dim(inert(task.id))}`,
      );
      if (transitive_dependents.length === 0)
        return screen.line('  Nothing depends on it: a delay here delays nothing else.');
      const { total_tasks_affected: affected, total_hours_at_risk: hours } = impact_summary;
      const risk = hours > 0 ? `, ${hoursText(hours)} at risk` : '';
      screen.line(`  ${plural(affected, 'unfinished task')} ${affected === 1 ? 'depends' : 'depend'} on it${risk}`);
      screen.line();
      const direct = new Set(direct_dependents.map((row) => row.id));
      const rows = [...direct_dependents, ...transitive_dependents.filter((row) => !direct.has(row.id))];
      printFirst(screen, rows, IMPACT_ROWS, [
        ['id'],
        statusColumn(screen),
        { title: 'HOW', text: (row) => (direct.has(row.id) ? 'direct' : 'indirect') },
        ...hoursColumn(rows),
        ['title…'],
      ]);
      const chains = dependency_chains.filter((chain) => chain.length > 2);
      if (chains.length === 0) return;
      screen.line();
      screen.line(colour.bold('Paths'));
      const arrow = screen.unicode ? ' → ' : ' -> ';
      for (const chain of chains.slice(0, CHAINS)) {
        const ids = chain.slice(0, CHAIN_IDS).map((id) => inert(id));
        const rest = chain.length > CHAIN_IDS ? `${arrow}${chain.length - CHAIN_IDS} more` : '';
        screen.line(`  ${ids.join(arrow)}${rest}`);
      }
      if (chains.length > CHAINS) screen.line(colour.dim(`  and ${chains.length - CHAINS} more paths`));
    },
  ],
  /** Prints the start tasks, the most important of them, and the end tasks. */
  structure: [
    'Structure',
    ({ entry_points, dead_ends, high_impact_roots: roots }, screen) => {
      const { colour } = screen;
      if (entry_points.length === 0 && dead_ends.length === 0)
        return screen.line(
          'No start or end tasks. Add one with `troupe add "Title"`, or look at `troupe analyze --only cycles`.',
        );
      screen.line(`${colour.bold('Start tasks')}  ${plural(entry_points.length, 'task')}`);
      if (entry_points.length > 0) screen.line(`  ${someIds(entry_points, IDS)}`);
      if (roots.length > 0) {
        const most = Math.max(...roots.map((root) => root.transitive_dependents));
        screen.line();
        printTable(screen, roots, [
          ['BEGINNING=id', 'DEPENDENTS=transitive_dependents'],
          {
            title: ' '.repeat(STRUCTURE_BAR),
            text: (row) => bar(row.transitive_dependents, most, STRUCTURE_BAR, screen),
          },
        ]);
      }
      screen.line();
      screen.line(`${colour.bold('End tasks')}  ${plural(dead_ends.length, 'task')}`);
      const odd = dead_ends.filter((end) => !end.expected);
      const expected = dead_ends.filter((end) => end.expected).map((end) => end.id);
      if (expected.length > 0) screen.line(`  ${someIds(expected, IDS)}`);
      if (odd.length === 0) return;
      screen.line();
      printFirst(screen, odd, STRUCTURE_ROWS, [['id'], statusColumn(screen), ['warning…']]);
    },
  ],
  /** Prints tasks that fit, in a feasible order, and those that do not. */
  plan: [
    'Plan',
    (plan, screen) => {
      const { colour } = screen;
      if (plan.selected.length === 0)
        return screen.line(
          plan.left_out.length > 0
            ? `Nothing fits. The next would be ${someIds(
                plan.left_out.map((row) => row.id),
                3,
              )}.`
            : 'Nothing can be done now. `troupe status` shows why.',
        );
      printFirst(screen, plan.selected, PLAN_ROWS, [
        ['id'],
        { title: 'HOURS', text: (row) => (row.hours === null ? '–' : numberText(row.hours)), right: true },
        { title: 'COST', text: (row) => (row.cost === null ? '–' : numberText(row.cost)), right: true },
        ['title…'],
      ]);
      screen.line();
      const remaining = [
        ...(plan.remaining_hours === null ? [] : [`${hoursText(plan.remaining_hours)} left over`]),
        ...(plan.remaining_budget === null ? [] : [`${numberText(plan.remaining_budget)} of the budget left over`]),
      ];
      const sum = `${plural(plan.selected.length, 'task')}, ${hoursText(plan.total_hours)}, cost ${numberText(plan.total_cost)}`;
      screen.line([sum, ...remaining].join('; '));
      if (plan.left_out.length > 0)
        screen.line(colour.dim(`does not fit: ${someIds(plan.left_out.map((row) => row.id))}`));
      if (plan.missing_estimates.length > 0)
        screen.line(colour.dim(`counted as zero, without estimates: ${someIds(plan.missing_estimates)}`));
    },
  ],
  /** Prints tasks that can start, tasks in progress, and the tasks they unblock. */
  parallel: [
    'At the same time',
    (output, screen) => {
      const waiting = plural(output.waiting_count, 'task');
      const sections = [
        ['Needs a person', output.needs_person, output.needs_person.length],
        ['In progress', output.in_progress, output.in_progress_count],
        ['Can run in parallel', output.ready, output.ready_count],
        ['Next, when those are finished', output.next, output.next.length],
      ] as const;
      for (const [place, [title, rows, total]] of sections.filter(([, rows]) => rows.length > 0).entries()) {
        if (place > 0) screen.line();
        section(title, rows, total, screen);
      }
      if (output.ready_count + output.in_progress_count + output.waiting_count + output.needs_person.length === 0)
        screen.line('Nothing to coordinate. Add a task with `troupe add "Title"`.');
      else if (output.ready_count === 0 && output.in_progress_count === 0)
        screen.line(
          `Nothing can run: ${waiting} waiting. Find the reason with \`troupe check\` and \`troupe status\`.`,
        );
    },
  ],
  /** Prints ended tasks with their results, latest first. */
  recent: [
    'Ended recently',
    ({ since, tasks, total }, screen) => {
      const { colour } = screen;
      if (tasks.length === 0)
        return screen.line(
          `Nothing ended since ${since.slice(0, 16).replace('T', ' ')}. Look further back with \`troupe analyze --only recent --since 365d\`.`,
        );
      for (const task of tasks.slice(0, DISCOVER_ROWS)) {
        const time = colour.dim(ago(task.completed_at).padEnd(14));
        screen.line(
          `${time}  ${statusWithMark(task.status, screen)}  ${colour.bold(inert(task.id))}  ${inert(task.title)}`,
        );
        if (task.artifacts.length > 0) screen.line(`                  ${someIds(task.artifacts, 8)}`);
        if (task.note !== null && task.note !== 'Done')
          screen.line(colour.dim(`                  ${inert(task.note)}`));
      }
      if (total > DISCOVER_ROWS) screen.line(colour.dim(`and ${total - DISCOVER_ROWS} more`));
    },
  ],
} satisfies Partial<Sections>;

export const renderers = {
  /** Prints one task, the reason to do it next, and the command to start it. */
  'analysis.next': ({ task, waiting_for_it: waiting, ready, reason }, screen) => {
    const { colour } = screen;
    if (task === null) return screen.line('Nothing is ready. `troupe status` shows why.');
    const who = task.member === null ? '' : `  ${inert(task.member)}`;
    screen.line(`${colour.bold(inert(task.id))}  ${inert(task.title)}${colour.dim(who)}`);
    const others = ready > 1 ? `, one of ${ready} ready` : '';
    screen.line(colour.dim(`  ${reason}${waiting > 0 ? ` (${plural(waiting, 'task')})` : ''}${others}`));
    screen.line(`  ${TAKEN[task.done_by](inert(task.id))}`);
  },
} satisfies Partial<Renderers>;
