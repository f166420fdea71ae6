import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { TroupeError } from '#kernel/errors.js';
import { parseJsonObject } from '#kernel/json.js';
import { LIMITS } from '#kernel/limits.js';
import { codeOf } from './safe-path.js';

/**
 * One holder at a time across processes. The lock is a hard link to a file that names its holder by pid, start time and
 * host: a pid alone could be another process by now. The lock of a dead process is taken over at once.
 */
export async function whileLocked<Result>(lockFile: string, body: () => Promise<Result>): Promise<Result> {
  const own = `${lockFile}.${process.pid}.${randomUUID()}`;
  const holder = JSON.stringify({ pid: process.pid, start: await startOf(process.pid), host: hostname() });
  await writeFile(own, holder, { mode: 0o600, flag: 'wx' });
  try {
    await acquire(lockFile, own);
  } finally {
    await rm(own, { force: true }); // the lock is the other name of the same file: nothing else stays after a crash
  }
  try {
    return await body();
  } finally {
    await rm(lockFile, { force: true });
  }
}

async function acquire(lockFile: string, own: string): Promise<void> {
  const latest = Date.now() + LIMITS.lockWaitMs;
  let wait: number = LIMITS.lockPollLeastMs;
  while (!(await tryLink(own, lockFile))) {
    if (await removeIfDead(lockFile, own)) continue;
    if (Date.now() > latest) {
      throw new TroupeError('locked', { what: 'Another process is changing the team.', details: { lock: lockFile } });
    }
    await pause(wait);
    wait = Math.min(wait * 2, LIMITS.lockPollMostMs);
  }
}

async function tryLink(own: string, target: string): Promise<boolean> {
  try {
    await link(own, target);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Takes away the lock of a process that is gone. Of two that see it dead, the second would otherwise remove the lock
 * the first has just taken: so removing is itself done under a lock, and only if the dead holder is still the one.
 */
async function removeIfDead(lockFile: string, own: string): Promise<boolean> {
  const holder = await contentOf(lockFile);
  if (holder === undefined || !(await isDead(holder))) return holder === undefined;
  const broom = `${lockFile}.takeover`;
  if (!(await tryLink(own, broom))) {
    const sweeper = await contentOf(broom);
    if (sweeper !== undefined && (await isDead(sweeper))) await rm(broom, { force: true });
    return false;
  }
  try {
    if ((await contentOf(lockFile)) === holder) await rm(lockFile, { force: true });
  } finally {
    await rm(broom, { force: true });
  }
  return true;
}

async function contentOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function isDead(content: string): Promise<boolean> {
  const holder = parseJsonObject(content);
  const pid = holder?.['pid'];
  if (typeof pid !== 'number' || holder?.['host'] !== hostname()) return false;
  return (await startOf(pid)) !== holder['start'];
}

/** When a process started, in whatever words the system uses; an empty text when there is no such process. */
async function startOf(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const stat = await contentOf(`/proc/${pid}/stat`).catch(() => undefined);
    return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  }
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]);
    return stdout.trim();
  } catch {
    return ''; // ps answers with an error when the process is gone
  }
}
