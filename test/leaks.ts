import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { withoutClients } from './client-programs.js';

/** Folder of the person's settings below a test home; removed with it. */
const SETTINGS = '.config';
/** Folder of data that outlives a service: the ends of attempts that continued without it. */
const RUNTIME = '.run';
/** Folders of clients. They are created before a client starts in a sandbox, as each client would create its own. */
const OF_CLIENTS = ['.claude', '.codex', '.gemini', '.local', '.pi', '.qwen'];

/** A file system in memory, if the machine has one. */
const MEMORY = '/dev/shm';
/** Many times the size of all test folders of a run together. */
const MEMORY_LEAST_BYTES = 4 * 1024 ** 3;

/** Creates the folder of everything that a test run creates, and marks the environment of all its processes. */
export default function setup(): () => Promise<void> {
  const room = mkdtempSync(path.join(parentOfRooms(), 'troupe-test-'));
  process.env['TROUPE_TEST_ROOM'] = room;
  process.env['HOME'] = room;
  process.env['XDG_CONFIG_HOME'] = path.join(room, SETTINGS);
  process.env['XDG_RUNTIME_DIR'] = path.join(room, RUNTIME);
  process.env['PATH'] = withoutClients(process.env['PATH'] ?? '/usr/bin:/bin', path.join(room, SETTINGS));
  // With it, each Node process reads all certificates of the machine at start, which takes longer than most commands;
  // no test needs them.
  delete process.env['NODE_EXTRA_CA_CERTS'];
  return async () => {
    const left = await leftWith(`TROUPE_TEST_ROOM=${room}`);
    const names = left.map((pid) => `${pid} (${commandOf(pid)})`);
    for (const pid of left) process.kill(pid, 'SIGKILL');
    const folders = readdirSync(room)
      .filter((name) => ![SETTINGS, RUNTIME, ...OF_CLIENTS].includes(name))
      .map((name) => `${name} (${readdirSync(path.join(room, name), { recursive: true }).slice(0, 9).join(' ')})`);
    rmSync(room, { recursive: true, force: true });
    if (left.length > 0) throw new Error(`Tests left ${left.length} process(es) running: ${names.join(', ')}`);
    if (folders.length > 0) throw new Error(`Tests left folders behind: ${folders.slice(0, 5).join(', ')}`);
  };
}

/**
 * A folder in memory, unless TMPDIR names another: on a disk, every flush of Troupe and git would be waited for, and no
 * test cuts the power to see the effect of a flush.
 */
function parentOfRooms(): string {
  if (process.env['TMPDIR'] !== undefined || !existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= MEMORY_LEAST_BYTES && mayStartPrograms(MEMORY) ? MEMORY : tmpdir();
}

/** Containers often mount it with noexec; tests write programs and start them. */
function mayStartPrograms(mounted: string): boolean {
  const lines = readFileSync('/proc/mounts', 'utf8').split('\n');
  const [, , , options = 'noexec'] = lines.map((line) => line.split(' ')).findLast(([, at]) => at === mounted) ?? [];
  return !options.split(',').includes('noexec');
}

/** Processes left after a moment: those that just lost their service are about to end. */
async function leftWith(mark: string): Promise<number[]> {
  for (let look = 0; look < 20 && processesWith(mark).length > 0; look++) await setTimeout(100);
  return processesWith(mark);
}

/**
 * Other processes whose environment contains the mark, without this one and its workers. Linux only; elsewhere the list
 * is empty.
 */
function processesWith(mark: string): number[] {
  const found: number[] = [];
  let entries: string[];
  try {
    entries = readdirSync('/proc');
  } catch {
    return found;
  }
  for (const entry of entries) {
    const pid = Number(entry);
    if (!Number.isInteger(pid) || pid === process.pid || isWorkerOf(pid)) continue;
    try {
      if (readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark)) found.push(pid);
    } catch {
      // a process of another user, or one that has ended meanwhile: not from this run
    }
  }
  return found;
}

/** Command line of the process, to identify the test that left it. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim().slice(-300);
  } catch {
    return 'gone by now';
  }
}

function isWorkerOf(pid: number): boolean {
  try {
    const parent = Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]);
    return parent === process.pid;
  } catch {
    return true; // already gone
  }
}
