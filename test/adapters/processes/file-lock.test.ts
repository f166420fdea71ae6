import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FileLock } from '#adapters/processes/file-lock.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { ProcessIdentity } from '#ports/processes.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

/** A process as another one sees it, with what the test says of it. */
class Someone extends ProcessTable {
  private readonly said: Partial<ProcessIdentity>;
  /** Called whenever somebody is asked after. */
  onLook: () => void = () => undefined;

  constructor(said: Partial<ProcessIdentity> = {}, proc?: string) {
    super(proc);
    this.said = said;
  }

  override self(): ProcessIdentity {
    return { ...super.self(), ...this.said };
  }

  override state(identity: ProcessIdentity): 'alive' | 'dead' | 'unknown' {
    this.onLook();
    return super.state(identity);
  }
}

const now = Date.now();

function place(folder = room()) {
  const file = path.join(folder, 'write.lock');
  const locks: FileLock[] = [];
  onTestFinished(() => {
    for (const lock of locks) lock.release();
  });
  const lockOf = (who: ProcessTable, at = now) => {
    const lock = new FileLock(file, who, { now: () => at });
    locks.push(lock);
    return lock;
  };
  const taken = async (lock: FileLock) => {
    await lock.acquire(() => true);
    return true;
  };
  return { file, folder, lockOf, taken };
}

type Place = ReturnType<typeof place>;
const GONE = { start: 'long ago' };

verifies('hold.lock.identity', 'boot and namespace decide before the name of the host', async () => {
  const { lockOf, file, taken } = place();
  const renamed = lockOf(new Someone({ host: 'renamed' }));
  await taken(renamed);
  expect(lockOf(new Someone()).holder()).toMatchObject({ state: 'alive', who: `pid ${process.pid} on renamed` });
  await expect(taken(lockOf(new Someone()))).rejects.toMatchObject({
    ...{ code: 'locked', why: undefined, details: { pid: process.pid, host: 'renamed', state: 'alive' } },
  });
  renamed.release();
  const dead = lockOf(new Someone({ ...GONE, host: 'renamed' }));
  await taken(dead);
  expect(lockOf(new Someone()).holder()).toMatchObject({ state: 'dead', gone: true });
  expect(await taken(lockOf(new Someone()))).toBe(true);
  expect(dead.isOwn()).toBe(false);
  expect(existsSync(file)).toBe(true);
});

verifies(
  'hold.lock.identity',
  'who lives in another namespace or on another machine is unknown, never dead',
  async () => {
    for (const other of [
      { namespace: 'pid:[1]' },
      { boot: 'b', host: 'elsewhere' },
      { boot: 'b', namespace: 'pid:[1]' },
    ]) {
      const { lockOf, taken, file } = place();
      const holder = lockOf(new Someone({ ...other, ...GONE }));
      await taken(holder);
      expect(lockOf(new Someone()).holder()).toMatchObject({ state: 'unknown', gone: false });
      const error = await taken(lockOf(new Someone())).catch((caught) => caught);
      expect(error).toMatchObject({ code: 'locked', details: { folder: path.dirname(file), pid: process.pid } });
      expect(error.message).toContain(path.dirname(file));
      expect(error.message).toContain(`pid ${process.pid} on ${'host' in other ? other.host : hostname()}`);
      expect(error).toMatchObject({
        why: expect.stringContaining('cannot be determined'),
        details: { state: 'unknown' },
      });
      expect(error.hint).toContain('troupe service start --force');
      expect(error.hint).toContain('troupe doctor --repair');
    }
    const { lockOf, taken, file } = place();
    await taken(lockOf(new Someone()));
    const isGone = lockOf(new Someone()).acquire(() => {
      rmSync(file);
      return true;
    });
    await expect(isGone).rejects.toMatchObject({
      ...{ code: 'locked', why: undefined, details: { folder: path.dirname(file) } },
      message: expect.stringMatching(/^Another process is writing in [^:]+\.(?: |$)/),
    });
    await taken(lockOf(new Someone({ boot: 'an earlier one' })));
    expect(lockOf(new Someone()).holder()).toMatchObject({ state: 'dead' });
  },
);

verifies(
  'hold.lock.identity',
  'the unknown, the empty and the garbled are believed for a minute after the last renewal',
  async () => {
    const fills = {
      unknown: ({ lockOf, taken }: Place) => taken(lockOf(new Someone({ namespace: 'pid:[1]' }))),
      empty: ({ file }: Place) => writeFileSync(file, ''),
      garbled: ({ file }: Place) => writeFileSync(file, '{"pid":'),
    };
    for (const [name, fill] of Object.entries(fills)) {
      const here = place();
      const { file, lockOf, taken } = here;
      await fill(here);
      const renewed = (now - WORK_LIMITS.lockStaleMs) / 1_000;
      utimesSync(file, renewed, renewed + 1);
      await expect(taken(lockOf(new Someone())), name).rejects.toMatchObject({ code: 'locked' });
      utimesSync(file, renewed, renewed);
      expect(await taken(lockOf(new Someone())), name).toBe(true);
      expect(readdirSync(path.dirname(file)), name).toEqual(['write.lock']);
    }
  },
);

verifies('hold.lock.identity', 'a holder renews its lock every fifteen seconds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { file, lockOf, taken } = place();
  const lock = lockOf(new Someone(), now + 100_000);
  await taken(lock);
  vi.advanceTimersByTime(WORK_LIMITS.lockRenewMs - 1);
  expect(statSync(file).mtimeMs).toBeLessThan(now + 90_000);
  vi.advanceTimersByTime(1);
  expect(Math.round(statSync(file).mtimeMs)).toBe(now + 100_000);
  expect(WORK_LIMITS.lockRenewMs).toBe(15_000);
  lock.release();
  expect(vi.getTimerCount()).toBe(0);
});

verifies('hold.lock.identity', 'the lock of a copied project is none', async () => {
  const { file, lockOf, taken, folder } = place();
  const holder = lockOf(new Someone());
  await taken(holder);
  const copy = place();
  copyFileSync(file, copy.file);
  expect(copy.lockOf(new Someone()).holder()).toMatchObject({ gone: true });
  expect(await copy.taken(copy.lockOf(new Someone()))).toBe(true);
  expect(holder.isOwn()).toBe(true);
  await expect(place(folder).taken(lockOf(new Someone()))).rejects.toMatchObject({ code: 'locked' });
});

verifies('hold.lock.identity', 'without /proc the same holds, told by ps', async () => {
  const { lockOf, taken } = place();
  const holder = lockOf(new Someone({}, ''));
  await taken(holder);
  expect(lockOf(new Someone({}, '')).holder()).toMatchObject({ state: 'alive' });
  expect(lockOf(new Someone({ host: 'elsewhere' }, '')).holder()).toMatchObject({ state: 'unknown' });
  holder.release();
  await taken(lockOf(new Someone(GONE, '')));
  expect(await taken(lockOf(new Someone({}, '')))).toBe(true);
  const table = new ProcessTable('');
  expect(table.self()).toMatchObject({ namespace: '' });
  expect(table.commandOf(process.pid)).toContain('node');
  expect(table.isStopped(process.pid)).toBe(false);
});

verifies('hold.lock.owned', 'a lock whose file went, or that another seized, is ours no longer', async () => {
  const { file, lockOf, taken } = place();
  const lock = lockOf(new Someone());
  await taken(lock);
  expect(await taken(lock), 'who has it has it').toBe(true);
  expect(lock.isOwn()).toBe(true);
  const text = path.join(path.dirname(file), 'kept');
  copyFileSync(file, text);
  writeFileSync(file, '{}');
  expect(lock.isOwn(), 'other words in the same file').toBe(false);
  copyFileSync(text, file);
  expect([lock.isOwn(), lock.isOwn()]).toEqual([true, true]);
  rmSync(file);
  expect(lock.isOwn()).toBe(false);
  renameSync(text, file); // the same words in another file
  expect(lock.isOwn()).toBe(false);
  lock.release();
  expect(existsSync(file)).toBe(true);

  const second = place();
  const loser = second.lockOf(new Someone());
  await second.taken(loser);
  const winner = second.lockOf(new Someone());
  expect(await winner.seize()).toMatchObject({ who: `pid ${process.pid} on ${hostname()}`, state: 'alive' });
  expect([winner.isOwn(), loser.isOwn()]).toEqual([true, false]);
  loser.release();
  expect(winner.isOwn()).toBe(true);
});

test('who succeeds the dead clears away what the dead left beside the lock, and nothing else', async () => {
  const { file, folder, lockOf, taken } = place();
  const living = lockOf(new Someone());
  await taken(living);
  const alive = readFileSync(file, 'utf8');
  expect(living.contended()).toBe(false);
  living.release();
  await taken(lockOf(new Someone(GONE)));
  const dead = readFileSync(file, 'utf8');
  const names = { 'write.lock.dead': dead, 'write.lock.alive': alive, 'write.lock.torn': '{', 'other.lock.dead': dead };
  for (const [name, text] of Object.entries(names)) writeFileSync(path.join(folder, name), text);
  await taken(lockOf(new Someone()));
  expect(readdirSync(folder).sort()).toEqual(['other.lock.dead', 'write.lock', 'write.lock.alive', 'write.lock.torn']);
  const climbing = { ...JSON.parse(alive), nonce: '../../x' };
  writeFileSync(file, JSON.stringify(climbing));
  expect(lockOf(new Someone()).holder()).toMatchObject({ state: 'unreadable', who: 'a holder it does not name' });
});

test('who releases the lock after a while clears away what killed takers left beside it', async () => {
  const { file, folder, lockOf, taken } = place();
  const dead = lockOf(new Someone(GONE));
  await taken(dead);
  const left = readFileSync(file, 'utf8');
  dead.release();
  let at = now;
  const holder = new FileLock(file, new Someone(), { now: () => at });
  for (const name of ['write.lock.draft', 'other.lock.draft']) writeFileSync(path.join(folder, name), left);
  const leftAfter = async (ms: number) => {
    await taken(holder);
    at += ms;
    expect(holder.isOwn()).toBe(true);
    holder.release();
    return readdirSync(folder).sort();
  };
  expect(await leftAfter(WORK_LIMITS.lockLongMs - 1)).toEqual(['other.lock.draft', 'write.lock.draft']);
  expect(await leftAfter(WORK_LIMITS.lockLongMs)).toEqual(['other.lock.draft']);
});

test('who waits says so in a file for nobody else, until it has the lock or gives up', async () => {
  const { folder, lockOf, taken } = place();
  const holder = lockOf(new Someone());
  await taken(holder);
  const seen: unknown[] = [];
  const look = () => {
    for (const name of readdirSync(folder).filter((each) => each.includes('.want.')))
      seen.push([statSync(path.join(folder, name)).mode & 0o777, holder.contended()]);
    return true;
  };
  await expect(lockOf(new Someone()).acquire(look)).rejects.toMatchObject({ code: 'locked' });
  expect(seen).toEqual([[0o600, true]]);
  expect(readdirSync(folder)).toEqual(['write.lock']);
});

test('whoever sees a dead holder looks again before it takes its place', async () => {
  const { lockOf, taken } = place();
  await taken(lockOf(new Someone(GONE)));
  const [faster, slower] = [lockOf(new Someone()), new Someone()];
  let looks = 0;
  slower.onLook = () => {
    if (++looks === 1) void faster.acquire(() => true); // all of it happens while the slower one looks
  };
  await expect(taken(lockOf(slower))).rejects.toMatchObject({ code: 'locked' });
  expect(looks).toBeGreaterThan(0);
  expect(faster.isOwn()).toBe(true);
});

test('a lock names whoever holds it, or nobody: each part has to be there', async () => {
  const { file, folder, lockOf, taken } = place();
  const lock = lockOf(new Someone());
  expect([lock.held, lock.holder(), lock.isOwn()]).toEqual([false, undefined, false]);
  await taken(lock);
  expect([lock.held, lock.isOwn()]).toEqual([true, true]);
  const text = readFileSync(file, 'utf8');
  const named = { who: `pid ${process.pid} on ${hostname()}`, pid: process.pid, host: hostname(), state: 'alive' };
  expect(lock.holder()).toEqual({ ...named, gone: false });
  const nobody = { who: 'a holder it does not name', state: 'unreadable', gone: false };
  for (const odd of [
    ...['', '{', '[]', '7'],
    ...['pid', 'folder', 'start', 'host', 'boot', 'namespace', 'nonce'].map((key) =>
      JSON.stringify({ ...JSON.parse(text), [key]: undefined }),
    ),
    ...[{ pid: 1.5 }, { folder: 'x' }, { nonce: '../x' }, { nonce: '' }].map((more) =>
      JSON.stringify({ ...JSON.parse(text), ...more }),
    ),
  ]) {
    writeFileSync(file, odd);
    utimesSync(file, now / 1_000, now / 1_000);
    expect(lockOf(new Someone()).holder(), odd).toEqual(nobody);
    expect(lockOf(new Someone(), now + WORK_LIMITS.lockStaleMs - 1_000).holder(), odd).toEqual(nobody);
    expect(lockOf(new Someone(), now + WORK_LIMITS.lockStaleMs + 1_000).holder(), odd).toEqual({
      ...nobody,
      gone: true,
    });
  }
  const seconds = Math.floor(now / 1_000);
  utimesSync(file, seconds, seconds);
  expect(lockOf(new Someone(), seconds * 1_000 + WORK_LIMITS.lockStaleMs).holder()).toMatchObject({ gone: true });
  expect(lockOf(new Someone(), seconds * 1_000 + WORK_LIMITS.lockStaleMs - 1).holder()).toMatchObject({ gone: false });
  // Of another life of the machine the folder tells nothing: machines do not number their disks alike.
  const elsewhere = { device: '0', inode: '0' };
  const copied = (more: object) => JSON.stringify({ ...JSON.parse(text), folder: elsewhere, ...more });
  writeFileSync(file, copied({}));
  expect(lockOf(new Someone()).holder()).toMatchObject({ state: 'dead' });
  writeFileSync(file, copied({ boot: 'another', host: 'another' }));
  expect(lockOf(new Someone()).holder()).toMatchObject({ state: 'unknown' });
  rmSync(file);
  expect([lock.isOwn(), readdirSync(folder)]).toEqual([false, []]);
});
