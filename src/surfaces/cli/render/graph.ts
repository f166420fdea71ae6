/**
 * Renderers: the answer of each operation as text for people.
 * @packageDocumentation
 */
import { progressText, toneOf, wordOf } from '#core/graph/status-look.js';
import { inert, plural } from '#kernel/text.js';
import { ago } from '#surfaces/cli/ago.js';
import { printNews } from '#surfaces/cli/render/messages.js';
import { type AnswerOf, type EitherOf, type Renderers, type Screen, sharedBy } from '#surfaces/cli/screen.js';
import { paintState, shownState, stateMark } from '#surfaces/cli/status-mark.js';
import { printTable } from '#surfaces/cli/table.js';

type Answer = AnswerOf<'task.list' | 'task.ready'>;
type Row = EitherOf<AnswerOf<'task.list' | 'task.ready'>['tasks'][number]>;

function renderTasks(output: Answer, screen: Screen): void {
  const { total } = output;
  const [tasks, depthOf] = byEpic(output.tasks);
  if (tasks.length === 0) {
    screen.line(
      total === undefined
        ? 'Nothing is ready. `troupe status` shows why.'
        : total === 0
          ? 'No tasks yet. Add one with `troupe add "Title"`, or run a review with `troupe run`.'
          : `None of the ${total} tasks match.`,
    );
    return;
  }
  const stateOf = (row: Row) => shownState(row.status ?? 'open', row.ready ?? row.status === undefined);
  const anyone = tasks.some((row) => row.member ?? row.assigned);
  printTable(screen, tasks, [
    { title: 'ID', text: (row) => `${'  '.repeat(depthOf(row))}${inert(row.id)}` },
    {
      title: 'STATUS',
      text: (row) => stateMark(stateOf(row), screen, wordOf(stateOf(row), row.live, row.check)),
      paint: (text, row) => paintState(text, toneOf(stateOf(row), row.check), screen),
    },
    ...(anyone ? [{ title: 'WHO', text: (row: Row) => inert(row.member ?? row.assigned ?? '') }] : []),
    {
      title: 'TITLE',
      text: (row) =>
        `${inert(row.title)}${progressOf(row)}${row.paused === true && row.status === 'open' ? ' · paused' : ''}`,
      flexible: true,
    },
  ]);
}

function progressOf({ progress }: Row): string {
  return progress === undefined ? '' : ` · ${progressText(progress)}`;
}

/** Rows in the given order, but the parts of an epic in the list directly below it; and how deep each one stands. */
function byEpic(tasks: readonly Row[]): [readonly Row[], (row: Row) => number] {
  const parts = new Map<string, Row[]>();
  const listed = new Set(tasks.map(({ id }) => id));
  const tops: Row[] = [];
  for (const row of tasks) {
    const epic = row.epic !== undefined && listed.has(row.epic) ? row.epic : undefined;
    if (epic === undefined) tops.push(row);
    else parts.set(epic, [...(parts.get(epic) ?? []), row]);
  }
  if (parts.size === 0) return [tasks, () => 0];
  const depths = new Map<Row, number>();
  const walk = (rows: readonly Row[], depth: number) => {
    for (const row of rows) {
      if (depths.has(row)) continue;
      depths.set(row, depth);
      walk(parts.get(row.id) ?? [], depth + 1);
    }
  };
  walk(tops, 0);
  walk(tasks, 0); // epics that a hand edit made parts of one another
  return [[...depths.keys()], (row) => depths.get(row) ?? 0];
}

/** Sentences about the consequences of a status change, by event. */
const CONSEQUENCES: Readonly<Record<string, (id: string) => string>> = {
  cycle_iterate: (id) => `the cycle of ${id} starts another iteration`,
  cycle_restart: (id) => `the cycle of ${id} restarts, because a member failed`,
  cycle_end: (id) => `the cycle of ${id} has ended`,
  wake: (id) => `${id} resumes: its condition is met`,
};

export const renderers = {
  'task.undo': ({ taken, kept }, screen) => {
    for (const id of taken) screen.line(`${inert(id)}: taken back.`);
    for (const { id, why } of kept) screen.line(screen.colour.dim(`${inert(id)} stays as it is: it ${inert(why)}.`));
  },
  /** Prints the result of a command on one task on one line, and its warnings on stderr. */
  ...sharedBy(
    [
      'task.add',
      'task.edit',
      'task.claim',
      'task.unclaim',
      'task.done',
      'task.fail',
      'task.abandon',
      'task.retry',
      'task.approve',
      'task.reject',
      'task.block',
      'task.reopen',
      'task.pause',
      'task.resume',
      'task.publish',
      'task.wait',
      'task.reclaim',
      'task.reschedule',
      'task.add-dep',
      'task.rm-dep',
      'task.accept-edit',
      'task.discard-edit',
    ],
    (output, screen) => {
      const state = shownState(output.status ?? output.task?.status ?? 'open', output.ready === true);
      const what = output.title === undefined ? '' : `  ${inert(output.title)}`;
      const word = output.fence === undefined ? undefined : 'claimed'; // by a person: no run works on it
      const same = output.changed === false ? screen.colour.dim(' (unchanged)') : '';
      const [why] = output.reasons ?? [];
      const because = why === undefined ? '' : screen.colour.dim(` · ${inert(why)}`);
      screen.line(
        `${paintState(stateMark(state, screen, word), state, screen)}  ${inert(output.id)}${what}${because}${same}`,
      );
      for (const { op, task_id } of output.events ?? []) {
        const consequence = task_id === undefined || task_id === output.id ? undefined : CONSEQUENCES[op]?.(task_id);
        const own = op.startsWith('cycle_') && task_id === output.id ? CONSEQUENCES[op]?.(output.id) : consequence;
        if (own) screen.line(screen.colour.dim(`↺  ${inert(own)}`));
      }
      if (output.note) screen.aside(screen.colour.dim(inert(output.note)));
      for (const warning of output.warnings ?? [])
        screen.aside(`${screen.colour.yellow('warning:')} ${inert(warning)}`);
    },
  ),
  /** Prints the answer of `log` or `artifact`, one entry per line. */
  ...sharedBy(['task.log', 'task.artifact'], ({ log, artifacts, operations, messages }, screen) => {
    for (const entry of log ?? []) {
      const time = screen.colour.dim(ago(entry.timestamp));
      screen.line(`${time}  ${inert(entry.actor ?? '')}  ${inert(entry.message)}`);
    }
    if (operations && operations.length > 0) {
      if (log?.length !== 0) screen.line();
      const ofTasks = operations.some(({ task_id }) => task_id !== undefined);
      printTable(screen, operations, [
        ['seq', 'TIME=timestamp ago', 'OPERATION=op'],
        ...(ofTasks
          ? [{ title: 'TASK', text: ({ task_id: id }: (typeof operations)[number]) => inert(id ?? '') }]
          : []),
        ['BY=actor…'],
      ]);
    }
    for (const artifact of artifacts ?? []) screen.line(inert(artifact));
    if (log?.length === 0 && (operations ?? []).length === 0) screen.line('No log entries yet.');
    if (artifacts?.length === 0) screen.line('No artifacts yet.');
    printNews(messages, screen);
  }),
  /** Prints the answer of `list` or `ready`, one row per task. */
  ...sharedBy(['task.list', 'task.ready'], (output, screen) => {
    renderTasks(output, screen);
    const { internal = 0 } = output;
    if (internal > 0) screen.line(screen.colour.dim(`${plural(internal, 'internal task')} hidden (--show-internal)`));
  }),
} satisfies Partial<Renderers>;
