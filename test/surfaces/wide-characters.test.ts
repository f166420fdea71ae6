import pc from 'picocolors';
import { expect, test } from 'vitest';
import { cellsOf } from '#kernel/cells.js';
import { liveRows } from '#surfaces/cli/live-view.js';
import { renderers as status } from '#surfaces/cli/render/status.js';
import { printTimeline } from '#surfaces/cli/render/trace.js';
import type { Screen } from '#surfaces/cli/screen.js';
import { printColumns, printTable } from '#surfaces/cli/table.js';
import { printLayers } from '#surfaces/cli/trace-picture.js';
import { printChanges } from '#surfaces/cli/worktree-landing.js';
import { verifies } from '../verifies.js';

const WIDTH = 60;
const WIDE = '構文解析器を書いて、すべての試験を通す';

function paper(width = WIDTH): { screen: Screen; lines: string[] } {
  const lines: string[] = [];
  const line = (text = '') => lines.push(text);
  return { screen: { width, colour: pc.createColors(false), unicode: true, line, aside: line }, lines };
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

const LONG = 'end-to-end-tests-of-the-checkout-with-every-browser-there-is';
const COMBINING = 'e\u0301'.repeat(30);

verifies('ui.cli.table', 'no row is wider than the terminal, whatever its columns hold; figures stay whole', () => {
  for (const width of [60, 80]) {
    for (const texts of [
      [LONG, LONG, LONG, LONG],
      [WIDE, LONG, WIDE.repeat(3), COMBINING],
      ['a', LONG, 'b', 'c'],
      [LONG, '', '', ''],
    ]) {
      for (const flexible of [-1, 0, 2]) {
        const { screen, lines } = paper(width);
        printTable(
          screen,
          [texts, ['a', 'b', 'c', '|']],
          [
            ...texts.map((_text, index) => ({
              title: `C${index}`,
              text: (row: string[]) => row[index] ?? '',
              flexible: index === flexible,
            })),
            { title: 'FIGURE', text: () => '1234567', right: true },
          ],
        );
        expect(Math.max(...lines.map(cellsOf)), lines.join('\n')).toBeLessThanOrEqual(width);
        expect(lines.filter((line) => line.endsWith('1234567'))).toHaveLength(2);
        const columns = paper(width);
        printColumns([texts, ['a', 'b', 'c', 'd']], columns.screen);
        expect(Math.max(...columns.lines.map(cellsOf)), columns.lines.join('\n')).toBeLessThanOrEqual(width);
      }
    }
  }
});

verifies('ui.cli.table', 'the title gives way before the id that is typed next', () => {
  const { screen, lines } = paper(60);
  const rows = [
    { id: 'write-the-parser', title: 'Write the parser for the configuration file, with tests', member: 'Trinity' },
  ];
  printTable(screen, rows, [
    { title: 'ID', text: (row) => row.id },
    { title: 'TITLE', text: (row) => row.title, flexible: true },
    { title: 'MEMBER', text: (row) => row.member },
  ]);
  expect(lines[1]).toBe('write-the-parser  Write the parser for the configu…  Trinity');
});

verifies('ui.cli.table', '`troupe status` keeps to the terminal and stands straight', async () => {
  const row = (id: string, title: string) => ({
    id,
    title,
    state: 'failed',
    member: 'Trinity',
    reason: `${title}, and more of it`,
  });
  const rows = [row('a', 'short |'), row(LONG, WIDE.repeat(3)), row('c', COMBINING.repeat(2))];
  const none = { rows: [], total: 0 };
  const answers = {
    ...{
      at: '2026-11-22T10:00:00.000Z',
      held_clients: [],
      silent_workers: [],
      held_by_budget: [],
      costs: {},
      teams_problem: null,
      roles: { rows: [], total: 0 },
      client: { problem: null },
      to_land: 0,
      ready_for_service: 0,
    },
    ...{ needs_you: { rows, total: 3 }, running: none, ready: none, not_ready: none, epics: none },
  } as unknown as Parameters<(typeof status)['status.now']>[0];
  for (const width of [60, 80]) {
    const { screen, lines } = paper(width);
    await status['status.now'](answers, screen, { serviceAnswers: () => Promise.resolve(true) });
    const inSection = lines.filter((line) => line.startsWith('  ✕'));
    expect(inSection).toHaveLength(3);
    expect(Math.max(...inSection.map(cellsOf)), lines.join('\n')).toBeLessThanOrEqual(width);
    expect(new Set(inSection.map((line) => cellsOf(line.slice(0, line.search(/[a-z]/u))))).size).toBe(1);
  }
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
