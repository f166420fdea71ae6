import { inert } from '#kernel/text.js';
import type { AnswerOf, Screen } from '#surfaces/cli/screen.js';
import { paintState, shownState, stateMark } from '#surfaces/cli/status-mark.js';
import type { Column } from '#surfaces/cli/table.js';

export type SectionKey = keyof AnswerOf<'analysis.report'>;

/** Answer of one section of `troupe analyze`. */
export type AnalysisSection<Key extends SectionKey> = NonNullable<AnswerOf<'analysis.report'>[Key]>;

/** Titles and printers of the sections. */
export type Sections = {
  readonly [Key in SectionKey]: readonly [
    title: string,
    print: (section: AnalysisSection<Key>, screen: Screen) => void,
  ];
};

export const NO_SCORES = 'No scores yet. Record one with `troupe evaluate record TASK --score 0.8`.';

/** Status with its glyph. Liveness is not queried here, so a task in progress is not shown as running. */
export function statusWithMark(status: string, screen: Screen): string {
  return paintState(stateMark(shownState(status, false), screen), shownState(status, false), screen);
}

export function statusColumn<Row extends { readonly status: string; readonly is_ready?: boolean }>(
  screen: Screen,
): Column<Row> {
  const stateOf = ({ status, is_ready: ready = false }: Row) => shownState(status, ready);
  return {
    title: 'STATUS',
    text: (row) => stateMark(stateOf(row), screen),
    paint: (text, row) => paintState(text, stateOf(row), screen),
  };
}

/** Column of the holders, if any task has one. */
export function whoColumn<Row extends { readonly assigned: string | null }>(rows: readonly Row[]): Column<Row>[] {
  if (rows.every(({ assigned }) => assigned === null)) return [];
  return [{ title: 'WHO', text: ({ assigned }) => inert(assigned ?? '') }];
}

/** Column of hours, if any are known. */
export function hoursColumn<Row extends { readonly hours: number | null }>(rows: readonly Row[]): Column<Row>[] {
  if (rows.every((row) => row.hours === null)) return [];
  return [{ title: 'HOURS', text: (row) => (row.hours === null ? '–' : numberText(row.hours)), right: true }];
}

/** Rounds to two decimal places: `12`, `12.5`, `1234.25`. */
export function numberText(value: number): string {
  return String(Math.round(value * 100) / 100);
}

export function hoursText(hours: number): string {
  return `${numberText(hours)} h`;
}

/** Lists ids on one line, at most the first `most` of them. */
export function someIds(ids: readonly string[], most = 6): string {
  const listed = ids
    .slice(0, most)
    .map((id) => inert(id))
    .join(', ');
  return ids.length > most ? `${listed} and ${ids.length - most} more` : listed;
}

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const STEPS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const ASCII_STEPS = ['_', '.', ':', '-', '=', '+', '*', '#'];

/** Bar for the share of `value` in `most`, at most `width` columns long. Any positive value is visible. */
export function bar(value: number, most: number, width: number, screen: Screen): string {
  if (!(value > 0) || !(most > 0)) return '';
  const eighths = Math.max(1, Math.round(Math.min(1, value / most) * width * 8));
  if (!screen.unicode) return '#'.repeat(Math.max(1, Math.round(eighths / 8)));
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
}

/** Sparkline: one character per value, its height relative to the largest. */
export function spark(values: readonly number[], screen: Screen): string {
  const most = Math.max(...values, 0);
  const steps = screen.unicode ? STEPS : ASCII_STEPS;
  return values
    .map((value) => steps[most > 0 ? Math.round((Math.max(0, value) / most) * (steps.length - 1)) : 0] ?? '')
    .join('');
}
