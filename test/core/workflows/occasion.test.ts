import { expect, test } from 'vitest';
import { isOver, nextOccasion, occasionAt, occasionBegan } from '#core/workflows/triggered.js';
import { verifies } from '../../verifies.js';
import { graphOf } from '../graph/graph.js';

const daily = { type: 'schedule', every: 'daily' } as const;
const weekly = (day: string) => ({ type: 'schedule', every: `weekly:${day}` }) as const;
const at = (time: string) => Date.parse(time);
const iso = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString());

verifies('workflow.trigger', 'a day begins at midnight where one is; its occasion is that day', () => {
  const rows: [string, string, string, string, string][] = [
    ['UTC', '2026-11-22T00:00:00Z', '2026-11-22', '2026-11-22T00:00:00.000Z', '2026-11-23T00:00:00.000Z'],
    ['UTC', '2026-11-21T23:59:59Z', '2026-11-21', '2026-11-21T00:00:00.000Z', '2026-11-22T00:00:00.000Z'],
    ['Europe/Berlin', '2026-11-21T23:30:00Z', '2026-11-22', '2026-11-21T23:00:00.000Z', '2026-11-22T23:00:00.000Z'],
    // The day on which clocks are put forward, and the one on which they are put back.
    ['Europe/Berlin', '2026-03-29T10:00:00Z', '2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25T10:00:00Z', '2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
    // A day without a midnight.
    ['America/Sao_Paulo', '2018-11-04T12:00:00Z', '2018-11-04', '2018-11-04T03:00:00.000Z', '2018-11-05T02:00:00.000Z'],
    [
      'Pacific/Kiritimati',
      '2026-11-22T12:00:00Z',
      '2026-11-23',
      '2026-11-22T10:00:00.000Z',
      '2026-11-23T10:00:00.000Z',
    ],
    ['Asia/Kathmandu', '2026-11-22T18:20:00Z', '2026-11-23', '2026-11-22T18:15:00.000Z', '2026-11-23T18:15:00.000Z'],
  ];
  for (const [zone, now, key, began, next] of rows) {
    expect(occasionAt(daily, at(now), zone), `${zone} ${now}`).toBe(key);
    expect(iso(occasionBegan(daily, at(now), zone)), `${zone} ${now}`).toBe(began);
    expect(iso(nextOccasion(daily, at(now), zone)), `${zone} ${now}`).toBe(next);
  }
});

verifies(
  'workflow.trigger',
  'a week begins with the day that is said, and what was missed is the latest of them',
  () => {
    // 2026-11-22 is a Sunday.
    const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
    const began = days.map((day) => occasionAt(weekly(day), at('2026-11-22T12:00:00Z'), 'UTC'));
    expect(began).toEqual([
      ...['2026-11-22', '2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21'],
    ]);
    const next = days.map((day) => iso(nextOccasion(weekly(day), at('2026-11-22T12:00:00Z'), 'UTC'))?.slice(0, 10));
    expect(next).toEqual([
      ...['2026-11-29', '2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27', '2026-11-28'],
    ]);
  },
);

verifies('workflow.trigger', 'a heartbeat is a span of half an hour, whatever the zone; others have no time', () => {
  const beat = { type: 'heartbeat' } as const;
  expect(occasionAt(beat, at('2026-11-22T14:59:59Z'), 'Europe/Berlin')).toBe('2026-11-22t1430');
  expect(iso(nextOccasion(beat, at('2026-11-22T14:59:59Z'), 'UTC'))).toBe('2026-11-22T15:00:00.000Z');
  for (const type of ['manual', 'event'] as const) {
    expect(occasionAt({ type }, 0, 'UTC')).toBeUndefined();
    expect(nextOccasion({ type }, 0, 'UTC')).toBeUndefined();
    expect(occasionBegan({ type }, 0, 'UTC')).toBeUndefined();
  }
});

test('over a year of hours no occasion is left out, none comes twice, and names come in order', () => {
  for (const zone of ['Europe/Berlin', 'America/New_York', 'UTC']) {
    const found: string[] = [];
    for (let hour = 0; hour < 366 * 24; hour++) {
      const key = occasionAt(daily, at('2026-01-01T12:00:00Z') + hour * 3_600_000, zone) ?? '';
      if (found.at(-1) !== key) found.push(key);
    }
    expect(found).toEqual([...new Set(found)].sort());
    expect(found.length).toBeGreaterThan(365);
  }
});

verifies(['workflow.trigger', 'test.bites'], 'a run is over when its tasks ended or left the graph, not before', () => {
  const view = graphOf({ id: 'ended', status: 'failed' }, { id: 'open' });
  const start = (...tasks: string[]) => ({ occasion: '2026-11-22', at: 0, run: 'nightly', tasks });
  expect(isOver(view, start('ended', 'archived'))).toBe(true);
  expect(isOver(view, start('ended', 'open'))).toBe(false);
});
