import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { withoutClients } from './client-programs.js';

/** Where the program keeps what belongs to the person, as below a real home; it goes with the room. */
const SETTINGS = '.config';
/** The same for what is for one service after another: the ends of attempts that went on without the first. */
const RUNTIME = '.run';
/** The folders of clients are made before they start in a sandbox, as each would make its own. */
const OF_CLIENTS = ['.claude', '.codex', '.gemini', '.local', '.pi', '.qwen'];

/** A file system in memory, where this machine has one. */
const MEMORY = '/dev/shm';
/** Many times what all rooms of a run hold at once. */
const MEMORY_LEAST_BYTES = 4 * 1024 ** 3;

/** Everything a test run creates lives below one folder, and every process it starts carries this mark. */
export default function setup(): () => Promise<void> {
  const room = mkdtempSync(path.join(parentOfRooms(), 'troupe-test-'));
  process.env['TROUPE_TEST_ROOM'] = room;
  process.env['HOME'] = room;
  process.env['XDG_CONFIG_HOME'] = path.join(room, SETTINGS);
  process.env['XDG_RUNTIME_DIR'] = path.join(room, RUNTIME);
  process.env['PATH'] = withoutClients(process.env['PATH'] ?? '/usr/bin:/bin', path.join(room, SETTINGS));
  // With it each Node reads all certificates of the machine as it starts, which takes longer than most commands; no test needs one.
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
 * In memory, unless TMPDIR names another place: a disk is waited for at every flush, of us and of git, and no test cuts the
 * power to see what a flush is good for.
 */
function parentOfRooms(): string {
  if (process.env['TMPDIR'] !== undefined || !existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= MEMORY_LEAST_BYTES && mayStartPrograms(MEMORY) ? MEMORY : tmpdir();
}

/** Containers often forbid it there; tests write programs and start them. */
function mayStartPrograms(mounted: string): boolean {
  const lines = readFileSync('/proc/mounts', 'utf8').split('\n');
  const [, , , options = 'noexec'] = lines.map((line) => line.split(' ')).findLast(([, at]) => at === mounted) ?? [];
  return !options.split(',').includes('noexec');
}

/** What is there after a moment: who lost its service a moment ago is about to end. */
async function leftWith(mark: string): Promise<number[]> {
  for (let look = 0; look < 20 && processesWith(mark).length > 0; look++) await setTimeout(100);
  return processesWith(mark);
}

/** Processes other than this one and its workers whose environment holds the mark. Linux only; elsewhere none are found. */
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
      // another user's process, or one that ended while we looked: neither is ours
    }
  }
  return found;
}

/** What it was started as, for whoever looks for the test that left it. */
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
    return true; // gone already
  }
}
