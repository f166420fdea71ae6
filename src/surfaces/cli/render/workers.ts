import { systemClock } from '#kernel/clock.js';
import { inert, plural } from '#kernel/text.js';
import { ago } from '#surfaces/cli/ago.js';
import type { AnswerOf, Renderers, Screen } from '#surfaces/cli/screen.js';
import { type Column, printColumns, printTable } from '#surfaces/cli/table.js';

type Machines = AnswerOf<'machine.list'>;
type Listed = AnswerOf<'worker.list'>['workers'][number];

function workerColumns({ colour }: Screen, now: number): Column<Listed>[] {
  const paint = {
    idle: colour.dim,
    working: colour.green,
    draining: colour.yellow,
    stopping: colour.yellow,
    unagreed: colour.red,
    silent: colour.red,
  };
  return [
    { title: 'WORKER', text: ({ name }) => inert(name) },
    { title: 'STATE', text: ({ state }) => state, paint: (text, { state }) => paint[state](text) },
    { title: 'SLOTS', text: ({ used, slots }) => `${used}/${slots}`, right: true },
    {
      title: 'RUNS',
      text: ({ runs }) => runs.map(({ run, task }) => `${inert(run)} ${inert(task)}`).join(', '),
      flexible: true,
    },
    { title: 'LABELS', text: ({ labels }) => labels.map((label) => inert(label)).join(', ') },
    { title: 'CLIENTS', text: ({ executors }) => executors.map((name) => inert(name)).join(', ') },
    { title: 'HEARD', text: ({ last_heard }) => ago(last_heard, now) },
    { title: 'AT', text: ({ at, version }) => `${inert(at)}, ${inert(version)}` },
  ];
}

/** Storage, leader, standbys and capacity of the project, as rows of label and text. */
function factsOf({ kept, database, leader, standbys, here, workers, slots, silent }: Machines): string[][] {
  const place =
    database === undefined
      ? 'files, on this machine'
      : `${database.project} in ${database.place}, PostgreSQL ${database.server}`;
  const led = kept === 'database' && leader !== null ? ` (epoch ${leader.epoch})` : '';
  const most = here.slots === null ? '' : ` of ${here.slots}`;
  const own = here.works ? `${here.used}${most} slots taken there` : 'runs nothing itself';
  const all = `${plural(workers.total, 'worker')}, ${slots.used} of ${plural(slots.total, 'slot')} taken`;
  return [
    ['kept in', place],
    ['leader', leader === null ? 'nobody' : `${leader.who}${led}${leader.paused ? ', paused' : ''}; ${own}`],
    ...(kept === 'files'
      ? []
      : [
          ['standing by', standbys.length === 0 ? 'nobody' : standbys.map(({ who }) => who).join(', ')],
          ['workers', `${all}${silent === 0 ? '' : `, ${silent} silent`}`],
        ]),
  ];
}

function printWaiting({ waiting: { rows, total } }: Machines, screen: Screen): void {
  if (total === 0) return;
  const { colour } = screen;
  screen.line();
  screen.line(colour.bold(`Waiting for a worker (${total})`));
  for (const { task, title, others, reason, command } of rows) {
    screen.line(`  ${inert(task)}${others === 0 ? '' : ` and ${others} more`}  ${colour.dim(inert(title))}`);
    screen.line(`    ${inert(reason)}: \`${inert(command)}\``);
  }
  const told = rows.reduce((sum, { others }) => sum + 1 + others, 0);
  if (total > told) screen.line(colour.dim(`  and ${total - told} more`));
}

export const renderers = {
  'machine.list': (answer, screen) => {
    const { colour } = screen;
    const { workers, refused, at } = answer;
    printColumns(factsOf(answer), screen, (cell, column) => (column === 0 ? colour.dim(cell) : cell));
    if (workers.total > 0) {
      screen.line();
      printTable(screen, workers.rows, workerColumns(screen, Date.parse(at)));
      if (workers.total > workers.rows.length)
        screen.line(colour.dim(`and ${workers.total - workers.rows.length} more`));
    }
    printWaiting(answer, screen);
    if (refused.total > 0) {
      screen.line();
      screen.line(colour.bold(`Came too late and changed nothing (${refused.total})`));
      const rows = refused.latest.map((end) => [
        end.run,
        end.task ?? '',
        end.worker ?? '',
        ago(end.at, Date.parse(at)),
      ]);
      printColumns(rows, screen, (cell, column) => (column > 1 ? colour.dim(cell) : cell));
    }
    for (const { text, command } of answer.next) screen.aside(`${inert(text)}: \`${inert(command)}\``);
  },
  'worker.list': ({ project, workers, leaders }, screen) => {
    for (const { key, name, at, leads, here } of leaders) {
      const what = [leads ? 'leads' : 'has led, or may lead', ...(here ? ['this machine'] : [])].join(', ');
      screen.aside(`${inert(name)} on ${inert(at)} (${what}) signs with ${inert(key)}`);
    }
    if (workers.length === 0) {
      screen.line(`No worker is there for ${inert(project)}.`);
      screen.aside('`troupe worker start` in a clone of the repository, on any machine, starts one.');
      return;
    }
    printTable(screen, workers, workerColumns(screen, systemClock.now()));
  },
  'worker.drain': ({ worker }, screen) =>
    screen.line(`${inert(worker)} takes nothing new, and goes when its runs have ended.`),
  'worker.stop': ({ worker }, screen) =>
    screen.line(`${inert(worker)} ends its runs, publishes what they made, and goes.`),
} satisfies Partial<Renderers>;
