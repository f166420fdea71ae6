import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Entry } from '#core/graph/event.js';
import { GraphState } from '#core/graph/state.js';
import { isTask, isTerminal } from '#core/graph/task.js';
import { mass } from '../mass.js';
import {
  asked,
  bareService,
  endEverything,
  environment,
  project,
  runsOf,
  SERVICE,
  start,
  statuses,
  textOf,
  troupe,
  until,
} from '../scenarios/program.js';
import { verifies } from '../verifies.js';
import { randomFrom, seed } from './killing.js';

/** How many storms there are: one each of the first two kinds, or all kinds, five times each. */
const STORMS = mass(2, 20);
const WRITERS = 3;
const TASKS_EACH = mass(5, 8);
const AT_ONCE = 6;

/** Where the second service of a storm comes from. */
type Kind = 'vanished' | 'copied' | 'namespace' | 'renamed';
const KINDS: readonly Kind[] = ['vanished', 'copied', 'namespace', 'renamed'];

for (let storm = 0; storm < STORMS; storm++) {
  const kind = KINDS[storm % KINDS.length] ?? 'vanished';
  verifies(
    ['hold.lock.owned', 'hold.lock.identity', 'hold.run.mine'],
    `storm ${storm}, a second service where the lock is ${kind}: nothing lost, done unrun or run twice`,
    async () => {
      const random = randomFrom(seed + storm);
      const cwd = await committedProject();
      onTestFinished(() => endEverything(cwd));
      const added = new Set<string>();
      const first = bareService(cwd, AT_ONCE);
      onTestFinished(() => void first.kill('SIGKILL'));
      await new Promise((resolve) => first.once('message', resolve));
      const writing = Array.from({ length: WRITERS }, (_, writer) => write(cwd, writer, random, added));
      await until('some tasks', () => added.size >= 1 + random() * 4);
      await new Promise((resolve) => setTimeout(resolve, random() * 400));
      const places = [cwd];
      if (kind === 'vanished') await vanish(cwd, first, random);
      else if (kind === 'copied') places.push(await copy(cwd));
      else await refused(cwd, kind);
      await Promise.all(writing);
      for (const place of places) {
        await drain(place);
        // What the original did before it was copied, or while, is done in the copy too.
        const before = place === cwd ? [] : marks(cwd);
        check(place, place === cwd ? added : new Set(), before, `${kind}, TROUPE_SEED=${seed}, storm ${storm}`);
      }
    },
  );
}

/** A graph under version control, of which a cleaned work tree keeps the log and loses what runs. */
async function committedProject(): Promise<string> {
  const cwd = await project();
  const git = (...words: string[]) => execFileSync('git', words, { cwd, env: environment(), stdio: 'ignore' });
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-qm', 'Begin');
  return cwd;
}

/** What a command may be answered while files vanish. Where the records of runs do, nobody can tell who asks. */
const REFUSALS = ['locked', 'service_silent', 'caller_unclear'];

/** Tasks that leave a mark outside of the project when they were done. Whoever is refused tries the next one. */
async function write(cwd: string, writer: number, random: () => number, added: Set<string>): Promise<void> {
  for (let number = 0; number < TASKS_EACH; number++) {
    const id = `w${writer}-${number}`;
    const command = `sleep 0.${Math.floor(random() * 30) + 10}; echo ${id} >> "../$(basename "$PWD").ran"`;
    const { code, stderr } = await start(['add', id, '--id', id, '--exec', command, '--json'], { cwd }).finished;
    if (code === 0) added.add(id);
    else expect(REFUSALS, stderr).toContain(JSON.parse(stderr).error.code);
  }
}

/** What `git clean` or a hand takes away under the first service; the second takes its place, and the first ends. */
async function vanish(cwd: string, first: ChildProcess, random: () => number): Promise<void> {
  const ended = new Promise<number | null>((resolve) => first.once('exit', resolve));
  if (random() < 0.5) clean(cwd);
  else rmSync(path.join(cwd, '.workgraph/service'), { recursive: true, maxRetries: 5 });
  await asked(['service', 'start', '--max-agents', String(AT_ONCE)], { cwd });
  expect(await ended, 'the first service ends by itself').toBe(1);
}

function clean(cwd: string): void {
  insist(() => execFileSync('git', ['clean', '-fdxq'], { cwd, env: environment(), stdio: 'ignore' }));
}

/** git and cp give up on a folder in which somebody just wrote a file; whoever typed the command types it again. */
function insist(command: () => unknown): void {
  for (let attempt = 1; ; attempt++) {
    try {
      command();
      return;
    } catch (error) {
      if (attempt === 5) throw error;
    }
  }
}

/** A copy of the project is a project of its own, whoever holds the original. Its files are of different moments. */
async function copy(cwd: string): Promise<string> {
  const copied = `${cwd}-copied`;
  // Not the socket, and not what a file is written as before it is put in its place: that may be gone when its turn comes.
  const isPassing = (file: string) => /\.sock$|\.draft\b|\.new$/.test(file);
  insist(() => cpSync(cwd, copied, { recursive: true, force: true, filter: (file) => !isPassing(file) }));
  onTestFinished(() => endEverything(copied));
  await asked(['trust'], { cwd: copied });
  await asked(['service', 'start', '--max-agents', String(AT_ONCE)], { cwd: copied });
  return copied;
}

/** Seen from another namespace, or under another name of the host, the first one is there all the same. */
async function refused(cwd: string, kind: Kind): Promise<void> {
  const socket = path.join(cwd, '.workgraph/service/daemon.sock');
  renameSync(socket, `${socket}.hidden`); // else it would answer, and nobody would look at the lock
  const words =
    kind === 'namespace'
      ? ['-p', '-f', '--mount-proc', '--']
      : ['-u', '--', 'sh', '-c', 'hostname other; exec "$@"', '-'];
  const second = spawn('unshare', [...words, process.execPath, SERVICE, cwd, String(AT_ONCE), '60000'], {
    cwd,
    env: environment(),
    stdio: 'ignore',
  });
  onTestFinished(() => void second.kill('SIGKILL'));
  const code = await new Promise((resolve) => second.once('exit', resolve));
  renameSync(`${socket}.hidden`, socket);
  expect(code, 'the second service is refused').toBe(1);
}

async function drain(cwd: string): Promise<void> {
  await until(
    'all tasks to end',
    async () => Object.values(await statuses(cwd)).every((status) => isTerminal(status as 'done')),
    90_000,
  );
  await troupe(['service', 'stop'], { cwd });
  await until('the runs to be gone', () => runsOf(cwd).length === 0);
  // Whoever waited for the lock and was killed leaves its wish, which counts for a moment only.
  const locks = /^write\.lock(?!\.want\.)/;
  const folder = path.join(cwd, '.workgraph/service');
  await until('no lock to be left', () => readdirSync(folder).every((name) => !locks.test(name)));
}

/** The tasks that left their mark, in order. */
function marks(cwd: string): string[] {
  return textOf(`${cwd}.ran`)
    .split('\n')
    .filter((line) => line !== '');
}

function check(cwd: string, added: ReadonlySet<string>, before: readonly string[], story: string): void {
  const log = readFileSync(path.join(cwd, '.workgraph/operations.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry);
  const state = new GraphState();
  for (const entry of log) state.apply(entry);
  const tasks = [...state.nodes()].filter(isTask);
  const ran = marks(cwd);
  process.stdout.write(
    `lock storm, ${story}: ${added.size} tasks acknowledged, ${tasks.length} there, ${ran.length} completions\n`,
  );
  expect(
    [...added].filter((id) => !state.task(id)),
    'acknowledged tasks that are lost',
  ).toEqual([]);
  expect(
    tasks
      .filter((task) => task.status === 'done' && !ran.includes(task.id) && !before.includes(task.id))
      .map((task) => task.id),
    'said to be done and never ran',
  ).toEqual([]);
  expect(
    ran.filter((id, index) => ran.indexOf(id) !== index),
    'run twice',
  ).toEqual([]);
  expect(tasks.filter((task) => task.status !== 'done').map((task) => `${task.id} ${task.failure_reason}`)).toEqual([]);
  expect(log.map((entry) => entry.seq)).toEqual(log.map((_, index) => index + 1));
  expect(log.filter(({ op }) => op === 'hand_edit' || op === 'merge')).toEqual([]);
}
