import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CoordinatorsFile } from '#adapters/processes/coordinators-file.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { NO_SESSIONS } from '#core/coordinator/sessions.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { openBelow } from '../../open-files.js';
import { room } from '../../room.js';

function place() {
  const folder = room('sessions');
  const own = () => new CoordinatorsFile({ folder, processes: new ProcessTable(), clock: { now: () => 0 } });
  return { file: path.join(folder, 'service/coordinators.json'), own };
}

test('sessions are kept, read anew when they are others, and changed by one at a time', async () => {
  const { file, own } = place();
  const [mine, other] = [own(), own()];
  expect(await mine.read()).toBe(NO_SESSIONS);
  const lock = path.join(path.dirname(file), 'coordinators.lock');
  expect(await mine.change((sessions) => [sessions, existsSync(lock) && 7])).toBe(7);
  expect(existsSync(lock)).toBe(false);
  expect([statSync(file).mode & 0o777, statSync(path.dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(await mine.read()).toEqual(NO_SESSIONS);
  expect(await mine.read()).toBe(await mine.read());
  const before = await other.read();
  await expect(
    mine.change(() => {
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect(await other.read()).toBe(before);
  await mine.change((sessions) => [sessions, undefined]);
  expect(await other.read()).not.toBe(before);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(NO_SESSIONS);
  expect(openBelow(path.dirname(file))).toEqual([]);
});

test('who holds the lock is not waited for longer than a lock is', async () => {
  const { file } = place();
  let now = 0;
  const clock = { now: () => (now += WORK_LIMITS.lockWaitMs / 2) };
  const processes = new ProcessTable();
  const lock = processes.lock(path.join(path.dirname(file), 'coordinators.lock'), clock);
  await lock.acquire();
  const sessions = new CoordinatorsFile({ folder: path.dirname(path.dirname(file)), processes, clock });
  await expect(sessions.change((before) => [before, undefined])).rejects.toMatchObject({ code: 'locked' });
  lock.release();
});

test('what is no regular file of its size is not read', async () => {
  const { file, own } = place();
  mkdirSync(file, { recursive: true });
  await expect(own().read()).rejects.toMatchObject({ code: 'unsafe_path' });
  const large = place();
  mkdirSync(path.dirname(large.file), { recursive: true });
  writeFileSync(large.file, ' '.repeat(WORK_LIMITS.settingsBytes + 1));
  await expect(large.own().read()).rejects.toMatchObject({ code: 'unsafe_path' });
  const sessions = JSON.stringify(NO_SESSIONS);
  writeFileSync(large.file, sessions.padEnd(WORK_LIMITS.settingsBytes));
  expect(await large.own().read()).toEqual(NO_SESSIONS);
});
