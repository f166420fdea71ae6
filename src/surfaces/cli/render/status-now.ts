import { formatDuration } from '#kernel/duration.js';
import { inert } from '#kernel/text.js';
import type { Screen } from '../screen.js';
import { paintState, shownState, stateMark } from '../status-mark.js';

interface Row {
  readonly id: string;
  readonly title: string;
  readonly state: string;
  readonly member?: string;
  readonly reason?: string;
  readonly since?: string;
}
interface List {
  readonly rows: readonly Row[];
  readonly total: number;
}
export interface Answers {
  readonly at: string;
  readonly needs_you: List;
  readonly running: List;
  readonly ready: List;
  readonly not_ready: List;
}

const ROWS_A_SECTION = 4;

/** The three answers, in at most twenty lines: what needs you, what is happening, what comes next. */
export function render(answers: Answers, screen: Screen): void {
  const { colour } = screen;
  section('Needs you', answers.needs_you, 'nothing', answers.at, screen);
  section('Running', answers.running, 'nothing', answers.at, screen);
  section('Next', answers.ready, 'nothing is ready', answers.at, screen);
  if (answers.ready.total === 0) {
    const [first] = answers.not_ready.rows;
    if (first) screen.line(colour.dim(`  ${inert(first.id)} ${inert(first.reason ?? 'waits')}`));
  }
  const next = answers.needs_you.rows[0] ?? answers.ready.rows[0];
  screen.line();
  screen.line(next ? `Next: \`troupe show ${inert(next.id)}\`` : 'Next: `troupe add "Title"`, or `troupe run`.');
}

function section(title: string, { rows, total }: List, none: string, at: string, screen: Screen): void {
  const { colour } = screen;
  screen.line(colour.bold(title));
  for (const row of rows.slice(0, ROWS_A_SECTION)) {
    const state = shownState(row.state, row.state === 'ready');
    const mark = paintState(stateMark(state, screen), state, screen);
    const facts = [row.member, state === 'in-progress' ? elapsed(row.since, at) : row.reason].filter((fact) => fact);
    screen.line(`  ${mark}  ${inert(row.id)}  ${inert(row.title)}  ${colour.dim(inert(facts.join(', ')))}`.trimEnd());
  }
  if (total > ROWS_A_SECTION) screen.line(colour.dim(`  and ${total - ROWS_A_SECTION} more`));
  if (total === 0) screen.line(colour.dim(`  ${none}`));
}

function elapsed(since: string | undefined, at: string): string {
  const start = Date.parse(since ?? '');
  return Number.isNaN(start) ? '' : formatDuration(Math.max(0, Date.parse(at) - start));
}
