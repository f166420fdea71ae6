import { STATUS_LOOK } from '#core/graph/status-look.js';
import { formatDuration } from '#kernel/duration.js';
import { inert } from '#kernel/text.js';
import type { Answer } from '#surfaces/http/contract.js';

export type Row = Answer<'run.timeline'>['rows'][number];
export type Verdict = Row['verdicts'][number];

export interface Axis {
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly { readonly at: number; readonly label: string }[];
}

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];
/** Distances between ticks that read well. */
const STEPS = [
  ...[1, 5, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14, 30, 90, 365].map((count) => count * DAY),
];
const TICKS_MOST = 8;

/** Time of the first work or decision to now, or to the last one of a run that is over; undefined before any. */
export function axisOf(rows: readonly Row[], now: number, isOver: boolean): Axis | undefined {
  const times = rows.flatMap((row) => [
    ...row.spans.flatMap(({ from, to }) => [from, to]),
    ...row.verdicts.map(({ at }) => at),
    row.completed_at,
  ]);
  const moments = times.flatMap((time) => (time === undefined ? [] : [Date.parse(time)])).filter(Number.isFinite);
  if (moments.length === 0) return undefined;
  const from = Math.min(...moments);
  const isOpen = rows.some(({ spans }) => spans.some(({ to }) => to === undefined));
  const to = Math.max(from + SECOND, ...moments, isOver && !isOpen ? from : now);
  const step = STEPS.find((candidate) => (to - from) / candidate <= TICKS_MOST) ?? to - from;
  const count = Math.floor((to - from) / step);
  const ticks = Array.from({ length: count + 1 }, (_, index) => ({
    at: from + index * step,
    label: index === 0 ? '0' : formatDuration(index * step),
  }));
  return { from, to, ticks };
}

/** Place of a moment on the axis, from 0 to 1. */
export function placeOn({ from, to }: Axis, at: number): number {
  return Math.min(1, Math.max(0, (at - from) / (to - from)));
}

/** The time between the end of those before it and its beginning; undefined if there was none, or it is not known. */
export function waitOf({ free_at: free, spans, completed_at: ended, state }: Row, axis: Axis) {
  if (free === undefined || state === 'abandoned') return undefined;
  const from = Math.max(axis.from, Date.parse(free));
  const begun = spans[0]?.from ?? ended;
  const to = begun === undefined ? axis.to : Date.parse(begun);
  return to > from ? { from, to } : undefined;
}

export interface Link {
  readonly from: string;
  readonly to: string;
  /** Rows and places on the axis of both ends. */
  readonly rows: readonly [number, number];
  readonly places: readonly [number, number];
}

/** Dependencies as lines, from the last end before a step to its beginning. The ways back of a cycle are left out. */
export function linksOf(rows: readonly Row[], axis: Axis): Link[] {
  const index = new Map(rows.map(({ step }, position) => [step, position]));
  return rows.flatMap((row, position) => {
    const begun = Date.parse(row.spans[0]?.from ?? row.completed_at ?? '');
    if (Number.isNaN(begun)) return [];
    return row.after.flatMap((name): Link[] => {
      const other = index.get(name);
      const before = other === undefined ? undefined : rows[other];
      if (other === undefined || before === undefined) return [];
      const ends = [...before.spans.map(({ to }) => to), ...before.verdicts.map(({ at }) => at), before.completed_at]
        .map((time) => Date.parse(time ?? ''))
        .filter((time) => time <= begun);
      if (ends.length === 0) return [];
      const places = [placeOn(axis, Math.max(...ends)), placeOn(axis, begun)] as const;
      return [{ from: name, to: row.step, rows: [other, position], places }];
    });
  });
}

export const VERDICT_LOOK: Readonly<
  Record<Verdict['verdict'], { readonly glyph: string; readonly word: string; readonly tone: string }>
> = {
  approved: { glyph: '✓', word: 'approved', tone: 'done' },
  passed: { glyph: '✓', word: 'passed', tone: 'done' },
  rejected: { glyph: '↺', word: 'rejected', tone: 'blocked' },
  'not-passed': { glyph: '✕', word: 'not passed', tone: 'blocked' },
  failed: { glyph: '✕', word: 'failed', tone: 'failed' },
};

export function verdictWords({ verdict, by, reason }: Verdict): string {
  const who = by === undefined ? '' : ` by ${inert(by)}`;
  return `${VERDICT_LOOK[verdict].word}${who}${reason === undefined ? '' : `: ${inert(reason)}`}`;
}

/** Sums by state, in the order in which they first occur: `in progress 9m`, `needs review 2m`. */
export function sumsOf(
  { spans }: Row,
  axis: Axis,
): { readonly state: Row['spans'][number]['state']; readonly ms: number }[] {
  const sums = new Map<Row['spans'][number]['state'], number>();
  for (const { state, from, to } of spans) {
    const took = (to === undefined ? axis.to : Date.parse(to)) - Date.parse(from);
    sums.set(state, (sums.get(state) ?? 0) + Math.max(0, took));
  }
  return [...sums].map(([state, ms]) => ({ state, ms }));
}

/** All that the drawing says of a row, in one sentence. */
export function rowWords(row: Row, axis: Axis): string {
  const wait = waitOf(row, axis);
  return [
    STATUS_LOOK[row.state].word,
    ...(row.after.length === 0 ? [] : [`after ${row.after.map((step) => inert(step)).join(' and ')}`]),
    ...(wait === undefined ? [] : [`waited ${formatDuration(wait.to - wait.from)}`]),
    ...sumsOf(row, axis).map(({ state, ms }) => `${STATUS_LOOK[state].word} ${formatDuration(ms)}`),
    ...row.verdicts.map(verdictWords),
  ].join(', ');
}
