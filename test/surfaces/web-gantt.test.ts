import { expect, test } from 'vitest';
import { axisOf, linksOf, placeOn, type Row, rowWords, waitOf } from '../../web/app/pages/runs/gantt.js';
import { verifies } from '../verifies.js';

const at = (minute: number) => new Date(Date.parse('2026-03-01T10:00:00Z') + minute * 60_000).toISOString();
const ms = (minute: number) => Date.parse(at(minute));
const row = (step: string, more: Partial<Row> = {}): Row => ({
  ...{ id: `r-${step}`, step, title: step, state: 'open', gate: false, after: [], spans: [], verdicts: [] },
  ...more,
});
const plan = row('plan', { state: 'done', spans: [{ state: 'in-progress', from: at(0), to: at(10) }] });
const dev = row('dev', {
  ...{ state: 'in-progress', after: ['plan'], free_at: at(10) },
  spans: [
    { state: 'in-progress', from: at(12), to: at(20) },
    { state: 'pending-validation', from: at(20), to: at(30) },
    { state: 'in-progress', from: at(31) },
  ],
  verdicts: [{ at: at(30), verdict: 'rejected', by: 'you', reason: 'no test' }],
});
const gate = row('gate', { gate: true, after: ['dev', 'gate-of-nothing'] });

verifies(
  'web.run',
  'the axis of a run reaches to now while it goes on, and has a few ticks in hours and minutes',
  () => {
    const axis = axisOf([plan, dev, gate], ms(40), false);
    expect(axis).toMatchObject({ from: ms(0), to: ms(40) });
    expect(axis?.ticks.map(({ label }) => label)).toEqual(['0', '5m', '10m', '15m', '20m', '25m', '30m', '35m', '40m']);
    expect(axisOf([plan], ms(600), true)).toMatchObject({ from: ms(0), to: ms(10) });
    expect(axisOf([plan], ms(600), false)?.ticks.at(-1)?.label).toBe('10h');
    expect(axisOf([gate], ms(40), false)).toBeUndefined();
  },
);

test('a dependency leads from the last end before a step to its beginning; a way back of a cycle is none', () => {
  const around = { ...plan, after: ['dev'] };
  const rows = [around, dev, gate];
  const axis = axisOf(rows, ms(40), false);
  if (axis === undefined) throw new Error('There is an axis');
  expect(linksOf(rows, axis)).toEqual([{ from: 'plan', to: 'dev', rows: [0, 1], places: [0.25, 0.3] }]);
  expect(placeOn(axis, ms(-5))).toBe(0);
  expect(placeOn(axis, ms(50))).toBe(1);
});

test('a step waited from the end of those before it to its beginning, and says so in words', () => {
  const axis = axisOf([plan, dev, gate], ms(40), false);
  if (axis === undefined) throw new Error('There is an axis');
  expect(waitOf(dev, axis)).toEqual({ from: ms(10), to: ms(12) });
  expect(waitOf(plan, axis)).toBeUndefined();
  expect(waitOf(row('free', { free_at: at(35) }), axis)).toEqual({ from: ms(35), to: ms(40) });
  expect(waitOf(row('left', { free_at: at(35), state: 'abandoned' }), axis)).toBeUndefined();
  expect(rowWords(dev, axis)).toBe(
    'in progress, after plan, waited 2m, in progress 17m, needs review 10m, rejected by you: no test',
  );
  expect(rowWords(gate, axis)).toBe('open, after dev and gate-of-nothing');
});
