import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DaemonLog } from '#adapters/processes/daemon-log.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { openBelow } from '../../open-files.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const clock = { now: () => Date.UTC(2026, 0, 1) };

function written(file: string, ...lines: readonly string[]): void {
  const log = new DaemonLog(file, clock);
  for (const line of lines) log.note(line);
  log.flush();
}

verifies('service.log', 'lines are written together, and soon', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const file = path.join(room(), 'daemon.log');
  const log = new DaemonLog(file, clock);
  for (const text of ['one', 'two']) log.note(text);
  vi.advanceTimersByTime(WORK_LIMITS.daemonLogDelayMs - 1);
  expect(existsSync(file)).toBe(false);
  vi.advanceTimersByTime(1);
  expect(readFileSync(file, 'utf8')).toMatch(/ one\n.* two\n$/);
  log.note('three');
  vi.advanceTimersByTime(WORK_LIMITS.daemonLogDelayMs);
  expect(readFileSync(file, 'utf8')).toMatch(/ two\n.* three\n$/);
});

verifies('service.log', 'it is turned over at its bound, and three older ones are kept', () => {
  const file = path.join(room(), 'service', 'daemon.log');
  const log = new DaemonLog(file, clock);
  const text = (mark: string) => `${mark}${'x'.repeat(16_000)}`;
  const lines = Math.ceil(WORK_LIMITS.daemonLogBytes / 16_000) + 1;
  for (const mark of ['a', 'b', 'c', 'd', 'e']) for (let line = 0; line < lines; line++) log.note(text(mark));
  log.note('the last');
  log.flush();
  expect(readFileSync(file, 'utf8')).toMatch(/the last\n$/);
  for (const name of [file, `${file}.1`, `${file}.2`, `${file}.3`]) {
    expect(statSync(name).size).toBeLessThanOrEqual(WORK_LIMITS.daemonLogBytes);
    expect(readFileSync(name, 'utf8')).toMatch(/^(2026-01-01T00:00:00\.000Z .*\n)+$/);
  }
  expect(statSync(`${file}.1`).size).toBeGreaterThan(WORK_LIMITS.daemonLogBytes - 20_000);
  expect(existsSync(`${file}.4`)).toBe(false);
  expect(openBelow(path.dirname(file))).toEqual([file]);
  for (const name of [file, `${file}.1`]) expect(statSync(name).mode & 0o777, name).toBe(0o600);
  expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
});

verifies('service.log', 'an earlier life left it full: it is turned over before the first line', () => {
  const file = path.join(room(), 'daemon.log');
  writeFileSync(file, 'x'.repeat(WORK_LIMITS.daemonLogBytes));
  written(file, 'new');
  expect(readFileSync(file, 'utf8')).toBe('2026-01-01T00:00:00.000Z new\n');
  expect(statSync(`${file}.1`).size).toBe(WORK_LIMITS.daemonLogBytes);
});

verifies('service.log', 'it goes on where an earlier life ended, until a line does not fit', () => {
  const line = '2026-01-01T00:00:00.000Z new\n';
  for (const left of [0, line.length - 1, line.length, 2 * line.length - 1, 2 * line.length]) {
    const folder = room();
    const file = path.join(folder, 'daemon.log');
    writeFileSync(file, 'x'.repeat(WORK_LIMITS.daemonLogBytes - left));
    written(file, 'new', 'new');
    const fit = Math.floor(left / line.length);
    const rest = line.repeat(2 - fit);
    expect(readFileSync(file, 'utf8').slice(-2 * line.length), String(left)).toBe(fit === 2 ? line.repeat(2) : rest);
    expect(readdirSync(folder).sort()).toEqual(['daemon.log', ...(fit === 2 ? [] : ['daemon.log.1'])]);
    expect([statSync(file).mode & 0o077, openBelow(folder)]).toEqual([fit === 2 ? expect.any(Number) : 0, [file]]);
  }
});

test('a line has bounds, and so has what is looked at for it', () => {
  const file = path.join(room(), 'daemon.log');
  const most = WORK_LIMITS.daemonLineCharacters;
  written(
    file,
    `token=${'s'.repeat(4 * most - 'token='.length)} tail`,
    `token=${'s'.repeat(4 * most - 'token=a end'.length)} end`,
    'y'.repeat(most),
    'z'.repeat(most + 1),
  );
  const [secret, kept, whole, cut] = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.slice(25));
  expect([secret, kept, whole, cut?.length]).toEqual(['token=********', 'token=******** end', 'y'.repeat(most), most]);
});

test('nothing is written through a link, and nobody is bothered with that', () => {
  const folder = room();
  mkdirSync(path.join(folder, 'service'));
  writeFileSync(path.join(folder, 'precious'), 'kept');
  symlinkSync(path.join(folder, 'precious'), path.join(folder, 'service', 'daemon.log'));
  written(path.join(folder, 'service', 'daemon.log'), 'new');
  expect(readFileSync(path.join(folder, 'precious'), 'utf8')).toBe('kept');
});

verifies('service.log', 'secrets are masked, lines stay lines', () => {
  const file = path.join(room(), 'daemon.log');
  const key = '-----BEGIN RSA PRIVATE KEY-----\nQUJD\n-----END RSA PRIVATE KEY-----';
  written(file, `tick failed: password=hunter2hunter2 ${key}\nend`);
  expect(readFileSync(file, 'utf8')).toBe('2026-01-01T00:00:00.000Z tick failed: password=******** ******** end\n');
});
