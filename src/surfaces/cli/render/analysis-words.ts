import { inert } from '#kernel/text.js';
import type { Screen } from '../screen.js';
import { paintState, shownState, stateMark } from '../status-mark.js';
import type { Column } from '../table.js';

/** Who does a task is not asked here, so one in progress is not called running. */
function markOf(status: string, screen: Screen): string {
  return stateMark(shownState(status, false), screen, status === 'in-progress' ? 'in progress' : undefined);
}

export function statusWithMark(status: string, screen: Screen): string {
  return paintState(markOf(status, screen), shownState(status, false), screen);
}

export function idColumn<Row extends { readonly id: string }>(): Column<Row> {
  return { title: 'ID', text: (row) => inert(row.id) };
}

export function statusColumn<Row extends { readonly status: string }>(screen: Screen): Column<Row> {
  return {
    title: 'STATUS',
    text: (row) => markOf(row.status, screen),
    paint: (text, row) => paintState(text, shownState(row.status, false), screen),
  };
}

export function titleColumn<Row extends { readonly title: string }>(): Column<Row> {
  return { title: 'TITLE', text: (row) => inert(row.title), flexible: true };
}

/** A column of hours, only where some are known. */
export function hoursColumn<Row extends { readonly hours: number | null }>(rows: readonly Row[]): Column<Row>[] {
  if (rows.every((row) => row.hours === null)) return [];
  return [{ title: 'HOURS', text: (row) => (row.hours === null ? '–' : numberText(row.hours)), right: true }];
}

/** `12`, `12.5`, `1234.25`: two places at most. */
export function numberText(value: number): string {
  return String(Math.round(value * 100) / 100);
}

export function hoursText(hours: number): string {
  return `${numberText(hours)} h`;
}

/** Ids in one line, the first few of many. */
export function someIds(ids: readonly string[], most = 6): string {
  const shown = ids
    .slice(0, most)
    .map((id) => inert(id))
    .join(', ');
  return ids.length > most ? `${shown} and ${ids.length - most} more` : shown;
}

/** The first rows of a long list, and how many are not shown. */
export function firstRows<Row>(rows: readonly Row[], most: number): { shown: readonly Row[]; more: string } {
  const left = rows.length - most;
  return { shown: rows.slice(0, most), more: left > 0 ? `and ${left} more` : '' };
}
