// Tasks whose commands note when they began and ended, and what these notes say.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const NOTES = 'notes.txt';

/** A shell line that notes the begin and the end of a task, without starting a process when it takes no time. */
export function noting(folder, id, seconds = 0) {
  const file = path.join(folder, NOTES);
  const rest = seconds > 0 ? `sleep ${seconds}; ` : '';
  return `echo b ${id} $EPOCHREALTIME >>${file}; ${rest}echo e ${id} $EPOCHREALTIME >>${file}`;
}

/** Notes of all tasks: `{ kind: 'b' | 'e', id, at }`, `at` in milliseconds. */
export function notesIn(folder) {
  const file = path.join(folder, NOTES);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => {
    const [kind, id, at] = line.split(' ');
    return { kind, id, at: Number(at) * 1_000 };
  });
}

/** Resolves once this many different tasks have ended. Rejects after a minute without a new note. */
export async function ended(folder, count) {
  let [seen, since] = [0, Date.now()];
  for (;;) {
    const notes = notesIn(folder);
    if (new Set(notes.filter(({ kind }) => kind === 'e').map(({ id }) => id)).size >= count) return notes;
    if (notes.length > seen) [seen, since] = [notes.length, Date.now()];
    if (Date.now() - since > 60_000) throw new Error(`only ${seen} notes of ${count} tasks after a minute of silence`);
    await wait(5);
  }
}

/** Tasks that began more than once, and tasks that never ended. */
export function repeatedAndLost(notes, ids) {
  const count = (kind, wanted) => notes.filter((note) => note.kind === kind && note.id === wanted).length;
  return {
    repeated: ids.filter((id) => count('b', id) > 1).length,
    lost: ids.filter((id) => count('e', id) === 0).length,
  };
}

/** Starts a program; `kill` ends it alone, without what it started. */
export function started(command, args, options = {}) {
  const child = spawn(command, args, { stdio: 'ignore', detached: true, ...options });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  return {
    pid: child.pid,
    kill: async () => {
      child.kill('SIGKILL');
      await gone;
    },
    stop: async () => {
      child.kill('SIGTERM');
      await gone;
    },
  };
}

/** Ends a process that is not a child of this one, without what it started. */
export async function killed(pid) {
  process.kill(pid, 'SIGKILL');
  while (existsSync(`/proc/${pid}/fd/0`)) await wait(1);
}

/** Runs a program to its end; rejects unless it exits with 0. */
export function finished(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], ...options });
    let said = '';
    child.stderr.on('data', (chunk) => (said += chunk));
    child.once('error', reject);
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`${command} ${args.join(' ')}: ${said.split('\n')[0]}`)),
    );
  });
}
