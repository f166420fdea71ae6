import { expect } from 'vitest';
import { quietHoursIn, quietUntil } from '#kernel/quiet-hours.js';
import { QUIET_HOURS } from '#kernel/quiet-hours-form.js';
import { verifies } from '../verifies.js';

const at = (time: string) => Date.parse(`2026-03-01T${time}Z`);

/** End of the quiet hours at a time, as text; undefined if it is not quiet. */
function ends(hours: string, time: string, zone = 'UTC'): string | undefined {
  const quiet = quietHoursIn(hours);
  const until = quiet && quietUntil(quiet, at(time), zone);
  return until === undefined ? undefined : new Date(until).toISOString().slice(5, 19);
}

verifies(
  'notify.quiet',
  'quiet hours may pass midnight, begin with their first minute and end before their last',
  () => {
    expect(ends('22:00-07:00', '21:59:59')).toBeUndefined();
    expect(ends('22:00-07:00', '22:00:00')).toBe('03-02T07:00:00');
    expect(ends('22:00-07:00', '06:59:59')).toBe('03-01T07:00:00');
    expect(ends('22:00-07:00', '07:00:00')).toBeUndefined();
    expect(ends('12:00-13:30', '12:10:40')).toBe('03-01T13:30:00');
    expect(ends('12:00-13:30', '13:30:00')).toBeUndefined();
    expect(ends('12:00-13:30', '11:59:00')).toBeUndefined();
  },
);

verifies('notify.quiet', 'they are hours of the given zone', () => {
  expect(ends('22:00-07:00', '21:30:00', 'Europe/Berlin')).toBe('03-02T06:00:00');
  expect(ends('22:00-07:00', '21:30:00', 'Asia/Kolkata')).toBe('03-02T01:30:00');
  expect(ends('22:00-07:00', '21:30:00', 'America/New_York')).toBeUndefined();
});

verifies('notify.quiet', 'other texts are no quiet hours', () => {
  for (const text of ['22:00', '22-7', '24:00-07:00', '22:60-07:00', '22:00-07:00 ', '07:00-07:00', ''])
    expect(quietHoursIn(text), text).toBeUndefined();
  expect(QUIET_HOURS.test('00:00-23:59')).toBe(true);
});
