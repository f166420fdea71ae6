import { expect, test } from 'vitest';
import { dayAt, isRecent } from '#kernel/clock.js';

test('a day is one of the calendar, and nothing beside it', () => {
  expect([dayAt('1970-01-02'), dayAt('2028-02-29')]).toEqual([86_400_000, Date.UTC(2028, 1, 29)]);
  for (const text of ['', '2026-02-29', '2026-02-30', '2026-13-01', '2026-1-1', '2026-01-01T00:00:00Z', ' 2026-01-01'])
    expect(dayAt(text), text).toBeUndefined();
});

test('a time is recent within its span, on either side of now', () => {
  const recent = [-11, -10, -9, 0, 9, 10, 11].filter((off) => isRecent(100 + off, 100, 10));
  expect(recent).toEqual([-9, 0, 9]);
});
