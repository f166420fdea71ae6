import pc from 'picocolors';
import { expect, test } from 'vitest';
import { formatMoney, formatTokens } from '#kernel/text.js';
import type { Screen } from '#surfaces/cli/screen.js';
import { type StatusWork, topFrame } from '#surfaces/cli/top/frame.js';
import { verifies } from '../verifies.js';

const AT = '2026-03-21T10:02:10.000Z';
const NOTHING: StatusWork = {
  at: AT,
  seq: 1,
  service: { running: true, paused: false, executor: 'claude', missing: null },
  held_clients: [],
  slots: { taken: 0, most: 4 },
  workers: { count: 0, taken: 0, free: 0, silent: [] },
  runs: [],
  people: [],
  gates: [],
  counts: {},
  spend: {
    estimated_today: 0,
    estimated_total: 0,
    tokens_unpriced_today: 0,
    usd_today: 0,
    usd_total: 0,
    tokens_today: 0,
    usd_reserved: 0,
    usd_per_day: null,
    usd_cap: null,
    tokens_per_day: null,
  },
};
const run = (number: number, fields: Partial<StatusWork['runs'][number]> = {}): StatusWork['runs'][number] => ({
  run: `agent-${number}`,
  task: `task-${number}`,
  title: 'A task',
  member: 'Trinity',
  executor: 'claude',
  model: 'sonnet',
  worker: null,
  started_at: '2026-03-21T10:00:00.000Z',
  tokens: 12_400,
  cost_usd: 0.42,
  estimated_usd: null,
  last_sign: null,
  last_line: 'reading files',
  ...fields,
});
const screen = (unicode = true): Screen => ({
  width: 80,
  colour: pc.createColors(false),
  unicode,
  line: () => undefined,
  aside: () => undefined,
});
const frame = (work: Partial<StatusWork>, width = 80, height?: number, unicode = true) =>
  topFrame(
    { ...NOTHING, ...work },
    { screen: screen(unicode), width, ...(height === undefined ? {} : { height }), selected: 0 },
  );

test('what is spent and what is reserved stand side by side while runs run', () => {
  const spend = { ...NOTHING.spend, usd_today: 0.5, usd_total: 2, usd_reserved: 1.25, usd_cap: 5 };
  expect(frame({ spend }).join('\n')).toContain('total $2.00 of $5.00   reserved $1.25');
});

test('durations, money and tokens are said one way; an unknown price is no price', () => {
  expect([formatMoney(0.42), formatMoney(0), formatMoney(null), formatMoney(undefined)]).toEqual([
    '$0.42',
    '$0.00',
    '–',
    '–',
  ]);
  expect([0, 950, 12_400, 999_949, 999_951, 3_100_000].map((tokens) => formatTokens(tokens))).toEqual([
    '0',
    '950',
    '12.4k',
    '999.9k',
    '1.0M',
    '3.1M',
  ]);
  const [line] = frame({ runs: [run(1)] }, 160).filter((one) => one.includes('task-1'));
  expect(line).toMatch(/task-1 +Trinity \/ claude +sonnet +2m 10s +12\.4k +\$0\.42 +reading files/);
  const [unknown] = frame({ runs: [run(1, { tokens: null, cost_usd: null })] }).filter((one) => one.includes('task-1'));
  expect(unknown).toContain('–       –');
});

test('every line fits, whatever the terminal and the texts', () => {
  const evil = `\u001b]0;owned\u0007${'界'.repeat(200)}`;
  const held = { task: evil, title: evil, who: evil, since: AT };
  const work = {
    runs: [run(1, { task: evil, member: evil, executor: evil, model: evil, last_line: evil }), run(2)],
    gates: [held],
    people: [held],
    service: { ...NOTHING.service, missing: evil },
    counts: Object.fromEntries(
      ['open', 'ready', 'in-progress', 'done', 'failed', 'waiting'].map((state) => [state, 99_999]),
    ),
  };
  const width = (text: string) => [...text].reduce((sum, letter) => sum + (letter === '界' ? 2 : 1), 0);
  for (const columns of [60, 80, 160])
    for (const line of frame(work, columns)) {
      expect(width(line), line).toBeLessThanOrEqual(columns);
      expect(line).not.toContain('\u001b');
    }
});

test('what does not fit is counted, and the chosen run stays in sight', () => {
  const runs = Array.from({ length: 50 }, (_, index) => run(index));
  const lines = topFrame({ ...NOTHING, runs }, { screen: screen(), width: 80, height: 20, selected: 49 });
  expect(lines.length).toBeLessThanOrEqual(20);
  expect(lines.some((line) => line.includes('› task-49'))).toBe(true);
  expect(lines.join('\n')).toMatch(/and \d+ more/);
});

test('empty it says what to do; without glyphs it does without', () => {
  const idle = frame({ service: { ...NOTHING.service, running: false } }).join('\n');
  expect(idle).toContain('no service');
  expect(idle).toContain('`troupe service start`');
  const plain = frame({ runs: [run(1)], counts: { 'in-progress': 1 } }, 80, undefined, false).join('\n');
  expect(plain).toContain('[~]');
  expect(plain).toContain('> task-1');
});

verifies('fleet.see', 'runs at workers stand with the name of the worker, apart from the slots of the leader', () => {
  const silent = [{ name: 'box-2', since: '2026-03-21T10:00:10.000Z' }];
  const work = {
    runs: [run(1), run(2, { worker: 'box-1' })],
    ...{ slots: { taken: 1, most: 4 }, workers: { count: 2, taken: 1, free: 1, silent } },
  };
  const lines = frame(work, 100);
  expect(lines[0]).toContain('agents 1/4, 1 at workers   workers 2, 1 slot free');
  expect(lines.join('\n')).toContain(
    'Silent: box-2 (heard 2m ago). What they had is given to others: `troupe machines`',
  );
  expect(lines.find((line) => line.includes('task-2'))).toContain('box-1');
  expect(frame({ runs: [run(1)] }, 100).join('\n')).not.toMatch(/ AT |workers/);
});
