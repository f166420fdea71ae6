import { progressText, type ShownState } from '#core/graph/status-look.js';
import { formatDuration } from '#kernel/duration.js';
import { formatCost, inert } from '#kernel/text.js';
import type { AnswerOf, Renderers, Screen } from '#surfaces/cli/screen.js';
import { silentText } from '#surfaces/cli/silent-workers.js';
import { atWork, paintState, shownState, stateMark } from '#surfaces/cli/status-mark.js';
import { printColumns } from '#surfaces/cli/table.js';
import { sayToLand } from '#surfaces/cli/worktree-landing.js';

type Answers = AnswerOf<'status.now'>;
type List = Answers['running'];
type Row = List['rows'][number];

const ROWS_A_SECTION = 4;
/** Maximum rows about roles: fewer than of tasks, because they can wait longer. */
const ROLES_SHOWN = 2;
const EPICS_SHOWN = 3;

function nextStep(answers: Answers, served: boolean): string {
  const { needs_you, running, ready, ready_for_service: runnable } = answers;
  if (runnable > 0 && (!served || answers.paused)) {
    const what = runnable === 1 ? '1 task is ready' : `${runnable} tasks are ready`;
    return served
      ? `Next: \`troupe service resume\` (${what}, and the service is paused)`
      : `Next: \`troupe service start\` (${what}, and no service is running for ${runnable === 1 ? 'it' : 'them'})`;
  }
  if (answers.teams_problem !== null) return `Next: \`${answers.teams_problem.command}\``;
  const first = needs_you.rows[0];
  if (first?.command !== undefined || first?.done_by === 'person') return personNext(first);
  if (first) return `Next: \`troupe show ${inert(first.id)}\``;
  const { problem } = answers.client;
  if (problem !== null) return `Next: \`${problem.command}\``;
  const [matter] = answers.roles.rows;
  if (matter && running.total === 0 && ready.total === 0) return `Next: \`${inert(matter.command)}\``;
  const mine = ready.rows.find((row) => row.done_by === 'person');
  if (mine) return personNext(mine);
  const other = ready.rows[0] ?? running.rows[0];
  return other ? `Next: \`troupe show ${inert(other.id)}\`` : 'Next: `troupe add "Title"`, or `troupe run`.';
}

function personNext({ id, command }: List['rows'][number]): string {
  return command === undefined
    ? `Next: \`troupe claim ${inert(id)}\` (a person takes it)`
    : `Next: \`${inert(command)}\``;
}

function section(
  title: string,
  { rows, total }: List,
  none: string | undefined,
  screen: Screen,
  cellsOfRow: (row: Row) => RowCells,
): void {
  const { colour } = screen;
  screen.line(colour.bold(title));
  const cells = rows.slice(0, ROWS_A_SECTION).map(cellsOfRow);
  printColumns(
    cells.map(({ texts }) => texts),
    screen,
    (text, column, number) => {
      if (column === 0) return paintState(text, cells[number]?.state ?? 'open', screen);
      return column === DETAILS ? colour.dim(text) : text;
    },
  );
  if (total > ROWS_A_SECTION) screen.line(colour.dim(`  and ${total - ROWS_A_SECTION} more`));
  if (total === 0 && none !== undefined) screen.line(colour.dim(`  ${none}`));
}

function plainRow(row: Row, screen: Screen): RowCells {
  if (row.state !== 'in-progress') return rowCells(row, undefined, [row.member, row.reason], screen);
  const { word, note } = atWork(row.run, false, false);
  return rowCells(row, word, [row.member, note], screen);
}

function readyRow(row: Row, screen: Screen): RowCells {
  return rowCells(row, undefined, [row.member, row.starts], screen);
}

function workingRow(
  row: Row,
  { at, served, costs }: Pick<Answers, 'at' | 'costs'> & { readonly served: boolean },
  screen: Screen,
): RowCells {
  const cost = costs[row.id];
  const { word, note } = atWork(row.run, row.live ?? false, served);
  return rowCells(
    row,
    word,
    [
      row.member,
      note,
      row.worker && `at ${inert(row.worker)}`,
      elapsed(row.since, at),
      cost && formatCost(cost.usd, cost.estimated),
    ],
    screen,
  );
}

/** State, id, title and details of a task, to be aligned. */
interface RowCells {
  readonly state: ShownState;
  readonly texts: readonly string[];
}
const DETAILS = 3;

function rowCells(
  row: Row,
  word: string | undefined,
  facts: readonly (string | undefined)[],
  screen: Screen,
): RowCells {
  const state = shownState(row.state, row.state === 'ready');
  const details = facts.filter((fact) => fact !== undefined && fact !== '').join(', ');
  return { state, texts: [stateMark(state, screen, word), row.id, row.title, details] };
}

function elapsed(since: string | undefined, at: string): string {
  const start = Date.parse(since ?? '');
  return Number.isNaN(start) ? '' : formatDuration(Math.max(0, Date.parse(at) - start));
}

export const renderers = {
  /** Prints what needs a person, what is running and what comes next, in at most twenty lines. */
  'status.now': async (answers, screen, around) => {
    const { colour } = screen;
    const serviceMatters = answers.running.total > 0 || answers.ready_for_service > 0;
    const served = serviceMatters && (await around.serviceAnswers());
    for (const { text, remedy } of answers.held_clients) {
      screen.line(colour.yellow(inert(text)));
      screen.line(colour.dim(`  ${inert(remedy)}`));
    }
    if (answers.silent_workers.length > 0) screen.line(colour.yellow(silentText(answers.silent_workers, answers.at)));
    if (answers.teams_problem !== null) {
      screen.line(colour.red(inert(answers.teams_problem.text)));
      screen.line(colour.dim(`  \`${answers.teams_problem.command}\``));
    }
    for (const { text, command } of answers.held_by_budget) {
      screen.line(colour.yellow(inert(text)));
      screen.line(colour.dim(`  \`${inert(command)}\` allows it`));
    }
    const { problem } = answers.client;
    const { roles } = answers;
    const needs = problem === null && roles.total === 0 && answers.teams_problem === null ? 'nothing' : undefined;
    section('Needs you', answers.needs_you, needs, screen, (row) => plainRow(row, screen));
    if (problem !== null) screen.line(`  ${colour.yellow(inert(problem.text))}`);
    for (const { text, command } of roles.rows.slice(0, ROLES_SHOWN))
      screen.line(`  ${inert(text)}  ${colour.dim(inert(command))}`);
    if (roles.total > ROLES_SHOWN) screen.line(colour.dim(`  and ${roles.total - ROLES_SHOWN} more about roles`));
    section('Running', answers.running, 'nothing', screen, (row) => workingRow(row, { ...answers, served }, screen));
    section('Next', answers.ready, 'nothing is ready', screen, (row) => readyRow(row, screen));
    if (answers.ready.total === 0) {
      const [first] = answers.not_ready.rows;
      if (first) screen.line(colour.dim(`  ${inert(first.id)} ${inert(first.reason ?? 'waits')}`));
    }
    if (answers.epics.total > 0) {
      const { rows, total } = answers.epics;
      screen.line(colour.bold('Epics'));
      const shown = rows.slice(0, EPICS_SHOWN);
      printColumns(
        shown.map(({ id, title, progress }) => [inert(id), inert(title), progressText(progress)]),
        screen,
        (text, column) => (column === 2 ? colour.dim(text) : text),
      );
      if (total > shown.length) screen.line(colour.dim(`  and ${total - shown.length} more`));
    }
    if (answers.to_land > 0) {
      screen.line(colour.bold('To land'));
      screen.line(`  ${sayToLand(answers.to_land)}`);
    }
    screen.line();
    screen.line(nextStep(answers, served));
  },
} satisfies Partial<Renderers>;
