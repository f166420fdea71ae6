import { inert, plural } from '#kernel/text.js';
import type { AnswerOf, Renderers, Screen } from '#surfaces/cli/screen.js';
import { type Column, printFirst, printTable } from '#surfaces/cli/table.js';
import { NO_SCORES, spark } from './analysis-words.js';

type Stats = AnswerOf<'agency.stats'>;
type Figures = Stats['tags'][number];
type FiguresOnly = Omit<Figures, 'name'>;

const ROWS = 10;
const UNEXPLORED = 5;

function uncreditedLine(scores: number): string {
  const [are, have] = scores === 1 ? ['score is', 'its task has'] : ['scores are', 'their tasks have'];
  return `${scores} ${are} kept, but credited to no one: ${have} no agent of this project. See \`troupe evaluate show\`.`;
}

/** Prints the rows that have a score; they are sorted, best first. */
function board(title: string, rows: readonly Figures[], screen: Screen): void {
  const scored = rows.filter(({ count }) => count > 0);
  if (scored.length === 0) return;
  if (title !== 'ROLE') screen.line();
  const name: Column<Figures> = { title, text: (row) => inert(row.name), flexible: true };
  printFirst<Figures>(screen, scored, ROWS, [name, ...figureColumns(scored, screen)], '');
}

/** Columns for scores and their trend, and one for each source if there is more than one. */
function figureColumns<Row extends FiguresOnly>(rows: readonly Row[], screen: Screen): Column<Row>[] {
  const { colour } = screen;
  const from = (title: string, value: (row: Row) => number | null): Column<Row>[] =>
    rows.some((row) => value(row) !== null) ? [{ title, text: (row) => figure(value(row)), right: true }] : [];
  const sources = [...from('FLIP', (row) => row.flip), ...from('OUTSIDE', (row) => row.outside)];
  return [
    { title: 'SCORE', text: (row) => figure(row.mean), right: true },
    { title: 'SCORES', text: (row) => String(row.count), right: true },
    ...(sources.length > 0 ? [...from('INSIDE', (row) => row.llm), ...sources] : []),
    ...from('GAP', (row) => row.gap),
    {
      title: 'TREND',
      text: (row) => row.trend ?? '-',
      paint: (text, { trend }) =>
        trend === 'improving' ? colour.green(text) : trend === 'declining' ? colour.red(text) : colour.dim(text),
    },
    { title: 'HISTORY', text: (row) => spark(row.series, screen), paint: (text) => colour.cyan(text) },
  ];
}

function figure(value: number | null): string {
  return value === null ? '-' : value.toFixed(2);
}

function pairs(synergy: Stats['synergy'], screen: Screen): void {
  if (synergy.length === 0) return;
  const { colour } = screen;
  screen.line();
  printFirst(
    screen,
    synergy,
    ROWS,
    [
      { title: 'PAIR', text: (row) => pairText(row), flexible: true },
      ...figureColumns(synergy, screen),
      {
        title: 'SYNERGY',
        text: (row) => row.synergy ?? '',
        paint: (text, row) => (row.synergy === 'high' ? colour.green(text) : colour.red(text)),
      },
    ],
    '',
  );
}

function unexplored({ unexplored: rows, unexplored_total: total, min_evals: least }: Stats, screen: Screen): void {
  if (total === 0) return;
  screen.line();
  screen.line(`${plural(total, 'pair')} with fewer than ${plural(least, 'score')}; the next to try:`);
  printTable(screen, rows.slice(0, UNEXPLORED), [
    { title: 'PAIR', text: (row) => pairText(row), flexible: true },
    ['SCORES=count'],
    { title: 'EXPECTED', text: ({ promise }) => promise.toFixed(2), right: true },
  ]);
}

function pairText({
  role_name,
  tradeoff_name,
}: {
  readonly role_name: string;
  readonly tradeoff_name: string;
}): string {
  return `${inert(role_name)} × ${inert(tradeoff_name)}`;
}

export const renderers = {
  'agency.stats': (stats, screen) => {
    const { roles, tradeoffs, agents, people, tags, models, synergy, skill_gaps: gaps } = stats;
    const { only_uncredited, warnings } = stats;
    if (roles.length + tradeoffs.length + agents.length + people.length === 0) {
      screen.line('No agency yet. `troupe agency init` adds starter roles and trade-offs.');
    } else {
      const scored = [...roles, ...tradeoffs, ...agents, ...people].some(({ count }) => count > 0);
      if (!scored) screen.line(only_uncredited === 0 ? NO_SCORES : uncreditedLine(only_uncredited));
      else {
        board('ROLE', roles, screen);
        board('TRADE-OFF', tradeoffs, screen);
        board('AGENT', agents, screen);
        board('PERSON', people, screen);
        board('TAG', tags, screen);
        board('MODEL', models ?? [], screen);
        pairs(synergy, screen);
      }
      unexplored(stats, screen);
      if (gaps.length > 0) {
        screen.line();
        printFirst(screen, gaps, ROWS, [['MISSING SKILL=skill…', 'tasks']], '');
      }
    }
    for (const warning of warnings) screen.aside(`${screen.colour.yellow('left out:')} ${inert(warning)}`);
  },
} satisfies Partial<Renderers>;
