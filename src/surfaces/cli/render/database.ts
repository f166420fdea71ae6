import { inert, plural } from '#kernel/text.js';
import { ageInWords } from '#surfaces/cli/render/reading.js';
import type { AnswerOf, Renderers, Screen } from '#surfaces/cli/screen.js';

type Standing = NonNullable<AnswerOf<'database.status'>['database']>;

const STATES: Readonly<Record<Standing['state'], string>> = {
  none: 'not there',
  empty: 'made, and empty',
  'in-use': 'in use',
  retired: 'moved away',
};

/** Prints one fact per line, as name and value. */
function printFacts(facts: readonly (readonly [name: string, value: string])[], screen: Screen): void {
  const width = Math.max(...facts.map(([name]) => name.length));
  for (const [name, value] of facts) screen.line(`${screen.colour.dim(name.padEnd(width))}  ${value}`);
}

function printStanding(standing: Standing, screen: Screen): void {
  const { project, place, server, state, tables, seq, leader, epoch, reading } = standing;
  printFacts(
    [
      ['project', `${inert(project)}, ${STATES[state]}`],
      ['database', `${inert(place)}, PostgreSQL ${inert(server)}`],
      ['entries', String(seq)],
      [
        'leader',
        leader === undefined ? 'nobody: each command writes on its own' : `${inert(leader)}, the ${epoch}. so far`,
      ],
      ...(reading === undefined ? [] : [['address', readingWords(reading)] as const]),
    ],
    screen,
  );
  if (tables === 'older') screen.aside('Its tables are of an older version: run `troupe database migrate`.');
}

function readingWords({ by, age_seconds }: NonNullable<Standing['reading']>): string {
  if (by === 'login') return 'for reading: this login may change nothing';
  if (by === 'server') return 'for reading: the server lets nobody write';
  if (age_seconds === undefined) return 'of a replica, which has received no change since it started';
  return `of a replica, whose newest change is ${ageInWords(age_seconds * 1_000)} old`;
}

function printSteps(steps: readonly string[], missing: readonly string[], screen: Screen): void {
  for (const step of steps) screen.line(`${screen.colour.green('made')}  ${inert(step)}`);
  if (missing.length > 0)
    screen.aside(
      `Not made: ${plural(missing.length, 'role')}. This login may make none, so all machines need a login that may change the tables. \`troupe database init --sql\` prints what an administrator can run.`,
    );
}

export const renderers = {
  'database.status': ({ kept, database }, screen) => {
    if (kept === 'files' || database === undefined) {
      screen.line('The project is kept in the files of .workgraph, on this machine.');
      screen.aside(
        '`troupe database move --to ADDRESS` puts it into a PostgreSQL database that several machines share.',
      );
    } else printStanding(database, screen);
  },
  'database.move': ({ from, to, entries, rows }, screen) => {
    screen.line(
      `Moved ${plural(entries, 'line')} of the log and ${plural(rows, 'row')} of messages and teams from ${inert(from)} to ${inert(to)}.`,
    );
    screen.aside('Commit .workgraph with git: other machines follow with the next pull.');
  },
  'database.use': ({ project, chosen, place }, screen) =>
    screen.line(
      chosen
        ? `${inert(project)} in ${inert(place ?? '')} is the project of this folder, on this machine.`
        : `Commands in this folder no longer go to ${inert(project)} in any database.`,
    ),
  'database.init': ({ steps, missing_roles, sql, ...standing }, screen) => {
    if (sql !== undefined) {
      for (const line of sql.trimEnd().split('\n')) screen.line(line);
      return;
    }
    printSteps(steps, missing_roles, screen);
    printStanding(standing, screen);
  },
  'database.migrate': ({ project, place, steps, missing_roles }, screen) => {
    printSteps(steps, missing_roles, screen);
    screen.line(`The tables of ${inert(project)} in ${inert(place)} are up to date.`);
  },
  /** Prints each finding with its remedy, then a summary. */
  'database.check': ({ project, place, ok, seq, rows, findings }, screen) => {
    const { colour } = screen;
    const paint = { error: colour.red, warning: colour.yellow, note: colour.dim } as const;
    for (const { severity, text, remedy } of findings) {
      screen.line(`${paint[severity](severity)}  ${inert(text)}`);
      screen.line(colour.dim(`  ${inert(remedy)}`));
    }
    const read = `${plural(seq, 'line')} of the log and ${plural(rows, 'row')} of ${inert(project)} in ${inert(place)}`;
    screen.line(ok ? `Read ${read}: all of it is whole.` : `Read ${read}.`);
  },
} satisfies Partial<Renderers>;
