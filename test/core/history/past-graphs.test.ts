import { expect, test } from 'vitest';
import type { Entry, Patch } from '#core/graph/event.js';
import { graphText } from '#core/graph/line.js';
import { GraphState } from '#core/graph/state.js';
import { ENTRIES_APART, PastGraphs } from '#core/history/past-graphs.js';
import { verifies } from '../../verifies.js';

const entry = (seq: number, ...patch: Patch[]): Entry => ({
  ...{ seq, id: String(seq), timestamp: new Date(seq * 1_000).toISOString(), op: 'edit' },
  patch,
});
const added = (id: string): Patch => ({ id, put: { kind: 'task', id, title: id, status: 'open' } });

/** Tasks that are added, moved and deleted, and entries that change nothing to be seen. */
function history(length: number): Entry[] {
  return Array.from({ length }, (_, index) => {
    const seq = index + 1;
    const id = `t-${Math.floor(index / 5)}`;
    if (index % 5 === 0) return entry(seq, added(id));
    if (index % 5 === 1) return entry(seq, { id, set: { status: 'in-progress' } });
    if (index % 5 === 2) return entry(seq, { id, log: [{ timestamp: '2026-03-01T10:00:00Z', message: 'at it' }] });
    if (index % 5 === 3) return entry(seq, { id, set: { status: 'done' } });
    return index % 2 === 0 ? entry(seq, { id, del: true }) : entry(seq);
  });
}

/** The same graph, replayed from the beginning. */
function replayed(entries: readonly Entry[], seq: number): string[] {
  const state = new GraphState();
  for (const each of entries) if (each.seq <= seq) state.apply(each);
  return graphText(state.nodes(), [], []).split('\n').sort();
}

verifies('web.run', 'the graph after each entry is the one that the log gives from its beginning', () => {
  const entries = history(3 * ENTRIES_APART + 17);
  const past = new PastGraphs(undefined, 10_000);
  for (const each of entries) past.add(each);
  for (const seq of [1, 2, 255, 256, 257, 300, 512, 513, entries.length]) {
    const found = past.at(seq);
    expect(found?.entry.seq).toBe(seq);
    expect(
      graphText(found?.view.nodes() ?? [], [], [])
        .split('\n')
        .sort(),
    ).toEqual(replayed(entries, seq));
  }
  // A look at one moment leaves the others as they were.
  expect(
    graphText(past.at(300)?.view.nodes() ?? [], [], [])
      .split('\n')
      .sort(),
  ).toEqual(replayed(entries, 300));
});

test('steps lead past events that change nothing to be seen', () => {
  const past = new PastGraphs(undefined, 1_000);
  for (const each of history(10)) past.add(each);
  expect(past.around(1)).toEqual({ next: 2 });
  expect(past.around(2)).toEqual({ before: 1, next: 4 });
  expect(past.around(3)).toEqual({ before: 2, next: 4 });
  expect(past.around(9)).toEqual({ before: 7 });
});

test('of a long log the last part is kept, from a graph before it', () => {
  const entries = history(5 * ENTRIES_APART);
  const whole = new GraphState();
  for (const each of entries.slice(0, 100)) whole.apply(each);
  const past = new PastGraphs(whole.freeze(), ENTRIES_APART);
  for (const each of entries.slice(100)) past.add(each);
  const first = past.first?.seq ?? 0;
  expect(entries.length - first).toBeLessThan(2 * ENTRIES_APART);
  expect(past.at(1)?.entry.seq).toBe(first);
  for (const seq of [first, first + 300, entries.length])
    expect(
      graphText(past.at(seq)?.view.nodes() ?? [], [], [])
        .split('\n')
        .sort(),
    ).toEqual(replayed(entries, seq));
  expect(new PastGraphs(undefined, 1).at(1)).toBeUndefined();
});
