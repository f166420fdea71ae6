// Measuring for noisy machines: both sides alternate in one run; results are medians and ratios.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const CLI = path.resolve(import.meta.dirname, '../dist/cli.cjs');
export const SERVICE = path.resolve(import.meta.dirname, '../dist/service.cjs');

export function median(values) {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[sorted.length >> 1];
}

export function quantile(values, part) {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}

/** Returns the duration of a whole process in milliseconds. */
export function timeProcess(command, args, options = {}) {
  const started = process.hrtime.bigint();
  const { status } = spawnSync(command, args, { stdio: 'ignore', ...options });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`);
  return Number(process.hrtime.bigint() - started) / 1e6;
}

const TICKS_PER_SECOND = 100;

/** Returns the processor time of a process in seconds, and its resident memory. Linux only. */
export function used(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const held = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return { seconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND, mb: Number(held?.[1] ?? 0) / 1024 };
}

function room(folder) {
  const made = mkdtempSync(path.join(folder, 'troupe-bench-'));
  process.on('exit', () => rmSync(made, { recursive: true, force: true }));
  return made;
}

const rooms = room(tmpdir());
/** A file system in memory, if the machine has one: there a measurement is independent of the disk. */
export const MEMORY = '/dev/shm';
const memoryRooms = existsSync(MEMORY) ? room(MEMORY) : undefined;
/** Measurements use settings of their own, independent of the trust recorded on this machine. */
process.env.XDG_CONFIG_HOME = path.join(rooms, 'settings');

export function troupe(folder, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  if (status !== 0) throw new Error(`troupe ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/**
 * Runs `work` in a fresh project folder. Folders are removed at the very end: removing thousands of files keeps a disk
 * busy for seconds, which would distort the next measurement.
 */
export async function inProject(work, { memory = false } = {}) {
  const folder = mkdtempSync(path.join((memory && memoryRooms) || rooms, 'project-'));
  troupe(folder, 'init');
  return await work(folder);
}

/** A graph of `count` tasks of about 600 bytes with two edges each, written as the original tool writes it. */
export function writeTasks(folder, count, extra = () => ({})) {
  const id = (number) => `task-${String(number).padStart(6, '0')}`;
  const lines = [];
  for (let number = 0; number < count; number++) {
    const after = number > 1 ? [id(number - 1), id(number - 2)] : [];
    const task = {
      kind: 'task',
      id: id(number),
      title: `Task ${number}`,
      description: 'x'.repeat(380),
      status: 'open',
      after,
    };
    lines.push(JSON.stringify({ ...task, created_at: '2026-03-21T10:00:00.000Z', ...extra(number) }));
  }
  writeFileSync(path.join(folder, '.workgraph', 'graph.jsonl'), `${lines.join('\n')}\n`);
}

/** Starts the service of a project in the foreground; `stop` waits for its end. */
export async function startService(folder, maxAgents = 4) {
  troupe(folder, 'trust'); // the commands of the benchmark are written by hand
  const child = spawn(process.execPath, [SERVICE, folder, String(maxAgents), '60000'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await new Promise((resolve, reject) => {
    child.once('message', (message) => (message.ready ? resolve() : reject(new Error(JSON.stringify(message)))));
    child.once('exit', (code) => reject(new Error(`service ended with ${code}`)));
  });
  child.removeAllListeners('exit');
  return {
    pid: child.pid,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', resolve);
        child.kill('SIGTERM');
      }),
  };
}
