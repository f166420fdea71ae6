import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { DaemonLog } from '#adapters/daemon/daemon-log.js';
import { LIMITS } from '#kernel/limits.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const clock = { now: () => Date.UTC(2026, 0, 1) };

verifies('service.log', 'it is turned over at its bound, and three older ones are kept', () => {
  const file = path.join(room(), 'service', 'daemon.log');
  const log = new DaemonLog(file, clock);
  const text = (mark: string) => `${mark}${'x'.repeat(16_000)}`;
  const lines = Math.ceil(LIMITS.daemonLogBytes / 16_000) + 1;
  for (const mark of ['a', 'b', 'c', 'd', 'e']) for (let line = 0; line < lines; line++) log.note(text(mark));
  log.note('the last');
  expect(readFileSync(file, 'utf8')).toMatch(/the last\n$/);
  for (const name of [file, `${file}.1`, `${file}.2`, `${file}.3`]) {
    expect(statSync(name).size).toBeLessThanOrEqual(LIMITS.daemonLogBytes);
    expect(readFileSync(name, 'utf8')).toMatch(/^(2026-01-01T00:00:00\.000Z .*\n)+$/);
  }
  expect(statSync(`${file}.1`).size).toBeGreaterThan(LIMITS.daemonLogBytes - 20_000);
  expect(existsSync(`${file}.4`)).toBe(false);
});

verifies('service.log', 'an earlier life left it full: it is turned over before the first line', () => {
  const file = path.join(room(), 'daemon.log');
  writeFileSync(file, 'x'.repeat(LIMITS.daemonLogBytes));
  new DaemonLog(file, clock).note('new');
  expect(readFileSync(file, 'utf8')).toBe('2026-01-01T00:00:00.000Z new\n');
  expect(statSync(`${file}.1`).size).toBe(LIMITS.daemonLogBytes);
});

test('nothing is written through a link, and nobody is bothered with that', () => {
  const folder = room();
  mkdirSync(path.join(folder, 'service'));
  writeFileSync(path.join(folder, 'precious'), 'kept');
  symlinkSync(path.join(folder, 'precious'), path.join(folder, 'service', 'daemon.log'));
  new DaemonLog(path.join(folder, 'service', 'daemon.log'), clock).note('new');
  expect(readFileSync(path.join(folder, 'precious'), 'utf8')).toBe('kept');
});

verifies('service.log', 'secrets are masked, lines stay lines', () => {
  const file = path.join(room(), 'daemon.log');
  const key = '-----BEGIN RSA PRIVATE KEY-----\nQUJD\n-----END RSA PRIVATE KEY-----';
  new DaemonLog(file, clock).note(`tick failed: password=hunter2hunter2 ${key}\nend`);
  expect(readFileSync(file, 'utf8')).toBe('2026-01-01T00:00:00.000Z tick failed: password=******** ******** end\n');
});
