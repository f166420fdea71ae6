import pc from 'picocolors';
import { expect, test } from 'vitest';
import { cellsOf } from '#kernel/cells.js';
import { liveRows } from '#surfaces/cli/live-view.js';
import { printColumns } from '#surfaces/cli/render/casting.js';
import { printTimeline } from '#surfaces/cli/render/trace.js';
import type { Screen } from '#surfaces/cli/screen.js';
import { printTable } from '#surfaces/cli/table.js';
import { printLayers } from '#surfaces/cli/trace-picture.js';
import { printChanges } from '#surfaces/cli/worktree-landing.js';

const WIDTH = 60;
const WIDE = '構文解析器を書いて、すべての試験を通す';

function paper(): { screen: Screen; lines: string[] } {
  const lines: string[] = [];
  const line = (text = '') => lines.push(text);
  return { screen: { width: WIDTH, colour: pc.createColors(false), unicode: true, line, aside: line }, lines };
}

/** The cells before a sign, in each line that has it. */
const before = (lines: readonly string[], sign: string): number[] =>
  lines.filter((line) => line.includes(sign)).map((line) => cellsOf(line.slice(0, line.indexOf(sign))));

const inOneColumn = (lines: readonly string[], sign: string) => {
  const places = before(lines, sign);
  expect(places.length).toBeGreaterThan(1);
  expect([...new Set(places)], lines.join('\n')).toHaveLength(1);
};

test('tables and columns stand straight with characters of two cells, and keep to the width', () => {
  const rows = [
    { name: 'plain', title: 'short', end: '|' },
    { name: WIDE.slice(0, 5), title: WIDE.repeat(3), end: '|' },
  ];
  const { screen, lines } = paper();
  printTable(screen, rows, [
    { title: 'NAME', text: (row) => row.name },
    { title: 'TITLE', text: (row) => row.title, flexible: true },
    { title: 'END', text: (row) => row.end },
  ]);
  inOneColumn(lines, '|');
  expect(Math.max(...lines.map(cellsOf))).toBeLessThanOrEqual(WIDTH);
  const columns = paper();
  printColumns([...rows.map(({ name, end }) => [name, end]), ['x', `|${WIDE.repeat(3)}`]], columns.screen);
  inOneColumn(columns.lines, '|');
  expect(Math.max(...columns.lines.map(cellsOf))).toBeLessThanOrEqual(WIDTH);
});

test('so do timelines, layers, the rows of a run and lists of changes', () => {
  const [from, to] = ['2026-11-22T10:00:00.000Z', '2026-11-22T11:00:00.000Z'];
  const timeline = paper();
  const bars = ['plain', WIDE.slice(0, 4)].map((id) => ({ id, status: 'done', from, to }));
  printTimeline({ from, to, lanes: bars.map((bar) => [bar]) }, timeline.screen);
  inOneColumn(timeline.lines, '█');

  const { screen } = paper();
  const tasks = ['plain', WIDE].map((title) => ({
    id: 'a',
    title: title.repeat(4),
    status: 'open',
    layer: 1,
    after: [],
  }));
  expect(Math.max(...printLayers(tasks, screen).map(cellsOf))).toBeLessThanOrEqual(WIDTH);

  const live = ['Edie', WIDE].map((member) => ({
    ...{ id: 'a', title: member.repeat(9), state: 'in-progress', member, after: [], started_at: from },
  })) as unknown as Parameters<typeof liveRows>[0];
  inOneColumn(
    liveRows(live, screen, 9, Date.parse(to)).map((line) => line.replace(/1h( 0m)?$/, '|')),
    '|',
  );

  const changes = paper();
  const files = ['plain.ts', `${WIDE}.ts`].map((path) => ({ path, added: 1, deleted: 1 }));
  printChanges({ files, total: 2, added: 2, deleted: 2 } as Parameters<typeof printChanges>[0], changes.screen);
  inOneColumn(changes.lines.slice(0, 2), '+1');
});
