import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { createConnection } from 'node:net';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { holdPrinted, holdSent } from '../answers.js';
import { room } from '../room.js';
import { type Finished, ResidentProgram } from './resident.js';

export type { Finished };

const DIST = path.resolve(import.meta.dirname, '../../dist');
export const CLI = path.join(DIST, 'cli.cjs');
export const SERVICE = path.join(DIST, 'service.cjs');

export interface CommandOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Options extends CommandOptions {
  /** Started instead of the command line, for instance a shell that sets a limit first. */
  readonly program?: readonly [string, ...string[]];
  /** `pipe`: the test types into it. */
  readonly input?: 'pipe';
}

export interface Running {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
  stdout(): string;
  stderr(): string;
}

/**
 * Environment without anything of the developer: home, temporary and runtime folders that are removed after the test.
 */
export function environment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const home = homeOfTest();
  const temporary = path.join(home, 'tmp'); // a sandboxed run writes here, not to the home
  mkdirSync(temporary, { recursive: true });
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: home,
    XDG_RUNTIME_DIR: home,
    TMPDIR: temporary,
    TROUPE_TEST_ROOM: process.env['TROUPE_TEST_ROOM'] ?? home,
    LANG: 'C.UTF-8',
    USER: 'tess',
    ...extra,
  };
}

let home: { readonly test: string | undefined; readonly folder: string } | undefined;

/** One home for all commands of a test, removed when it ends. */
function homeOfTest(): string {
  const test = expect.getState().currentTestName;
  if (home === undefined || home.test !== test || !existsSync(home.folder)) home = { test, folder: room('home') };
  return home.folder;
}

/** Starts the built program as a person does. It is ended with the test at the latest. */
export function start(args: readonly string[], options: Options): Running {
  const [program, ...before] = options.program ?? [process.execPath, CLI];
  const child = spawn(program, [...before, ...args], {
    cwd: options.cwd,
    env: environment(options.env),
    stdio: [options.input ?? 'ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const finished = new Promise<Finished>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, finished, stdout: () => stdout, stderr: () => stderr };
}

/** Starts the program at a terminal (provided by `script`) and types a line; `words` are quoted for a shell. */
export function startAtTerminal(typed: string, words: string, options: Omit<Options, 'program'>): Running {
  const program = String.raw`\"\$NODE\" \"\$CLI\" ${words}`;
  const line = `(sleep 0.1; printf '%s\\n' "$TYPED"; cat) | script -qec "${program}" /dev/null`;
  const env = { ...options.env, NODE: process.execPath, CLI, TYPED: typed };
  return start([], { ...options, env, program: ['bash', '-c', `{ ${line}; } 3<&0`] });
}

/** Variables that Node reads at start, or that identify the process for others: they need a process of their own. */
const FROM_BIRTH = /^(NODE_|WG_)/;

let resident: ResidentProgram | undefined;

/**
 * Removes the mark of test processes: the resident program outlives its test and is not a leftover. Programs it starts
 * are marked.
 */
function unmarked(variables: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => name !== 'TROUPE_TEST_ROOM'));
}

/**
 * Runs the built program to its end: in the resident process of this test worker if it is free, otherwise in a process
 * of its own. A test that needs real processes, such as many or one that dies, uses `start`.
 */
export async function troupe(args: readonly string[], options: CommandOptions): Promise<Finished> {
  const { cwd, env = {} } = options;
  if (!resident?.alive) resident = new ResidentProgram(CLI, unmarked(environment()));
  if (!resident.free || Object.keys(env).some((name) => FROM_BIRTH.test(name))) return start(args, options).finished;
  return resident.run({ args, cwd, env: environment(env) });
}

/** Returns the JSON value that a command prints; the command must succeed. */
export async function asked<Value>(args: readonly string[], options: CommandOptions): Promise<Value> {
  const { code, stdout, stderr } = await troupe([...args, '--json'], options);
  if (code !== 0) throw new Error(`troupe ${args.join(' ')} ended with ${code}: ${stderr}`);
  const printed: unknown = JSON.parse(stdout);
  await holdPrinted(args, printed);
  return printed as Value;
}

/** A fresh folder with an empty task graph. */
export async function project(name = 'project'): Promise<string> {
  const folder = path.join(room(), name);
  mkdirSync(folder);
  await asked(['init'], { cwd: folder });
  return folder;
}

/** Starts the service of a project; it is killed with all its runs when the test ends. */
export async function startService(cwd: string, ...flags: string[]): Promise<{ pid: number }> {
  onTestFinished(() => endEverything(cwd));
  return asked(['service', 'start', ...flags], { cwd });
}

/** Starts the background process as `service start` does, but as a child of the test, which can kill it. */
export function bareService(cwd: string, maxAgents = 4, env: Readonly<Record<string, string>> = {}): ChildProcess {
  return spawn(process.execPath, [SERVICE, cwd, String(maxAgents), '60000'], {
    cwd,
    env: environment(env),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

/** Sends lines to the service of a project and returns as many answers; strings are sent as they are. */
export async function converse(cwd: string, lines: readonly (string | object)[]): Promise<Record<string, unknown>[]> {
  const replies = await repliesTo(cwd, lines);
  for (const [index, reply] of replies.entries()) await holdSent(lines[index], reply);
  return replies;
}

/** Socket path of the service of a project. It lies elsewhere if the path of the folder is too long. */
export function socketOf(cwd: string): string {
  const told = readJson<{ socket_path: string }>(path.join(cwd, '.workgraph/service/state.json'));
  return told?.socket_path ?? path.join(cwd, '.workgraph/service/daemon.sock');
}

function repliesTo(cwd: string, lines: readonly (string | object)[]): Promise<Record<string, unknown>[]> {
  return new Promise((resolve, reject) => {
    const connection = createConnection(socketOf(cwd));
    let text = '';
    connection.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const answers = text.split('\n').filter((line) => line !== '');
      if (answers.length === lines.length) {
        connection.end();
        resolve(answers.map((line) => JSON.parse(line)));
      }
    });
    connection.on('error', reject);
    const said = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
    connection.write(`${said.join('\n')}\n`);
  });
}

/** Kills the service of a project and all runs it started. */
export async function endEverything(cwd: string): Promise<void> {
  const state = readJson<{ pid: number; start_time: string }>(path.join(cwd, '.workgraph/service/state.json'));
  if (state && startTime(state.pid) === state.start_time) process.kill(state.pid, 'SIGKILL');
  await until('the service to be gone', () => !state || startTime(state.pid) !== state.start_time);
  // Repeats, as one may have been about to start. A surviving shell would write the end of its run into the folder of
  // the test.
  await until('the runs to be gone', () => {
    const left = living((pid) => isRunOf(pid, cwd) || isStartedFor(pid, cwd));
    for (const pid of left) tryKill(pid);
    return left.length === 0;
  });
}

function tryKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Returns all processes except the first for which the predicate holds. */
function living(alike: (pid: number) => boolean): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid > 1 && alike(pid) && startTime(pid) !== undefined);
}

/** Returns processes that carry the mark of a run of this project, in any folder. */
export function runsOf(cwd: string, run = ''): number[] {
  return living((pid) => isRunOf(pid, cwd, run));
}

function isRunOf(pid: number, cwd: string, run = ''): boolean {
  const mark = `WG_RUN=${path.join(cwd, '.workgraph/agents')}/${run}`;
  return `\0${textOf(`/proc/${pid}/environ`)}`.includes(`\0${mark}`);
}

/** Whether this project or a path in its graph is among the arguments: launchers and run supervisors. */
function isStartedFor(pid: number, cwd: string): boolean {
  return textOf(`/proc/${pid}/cmdline`)
    .split('\0')
    .some((word) => word === cwd || word.startsWith(path.join(cwd, '.workgraph/')));
}

/** Returns the children of a process. */
export function childrenOf(pid: number): number[] {
  const parentOf = (child: number) => Number(textOf(`/proc/${child}/stat`).split(') ').at(-1)?.split(' ')[1]);
  return readdirSync('/proc')
    .map(Number)
    .filter((child) => child > 1 && parentOf(child) === pid);
}

/** Field 22 of /proc/PID/stat; undefined if the process does not exist or is a zombie. */
export function startTime(pid: number): string | undefined {
  const stat = textOf(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return stat === '' || fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}

export function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // gone or never there, as tests expect
  }
}

export function readJson<Value>(file: string): Value | undefined {
  const text = textOf(file);
  return text === '' ? undefined : (JSON.parse(text) as Value);
}

/** Creates a folder whose `troupe` and `wg` are the built program, as after an installation. */
export function installed(): string {
  const folder = room('bin');
  for (const name of ['troupe', 'wg'])
    if (!existsSync(path.join(folder, name))) symlinkSync(CLI, path.join(folder, name));
  return folder;
}

/** Far longer than needed on an idle machine, because other work may run beside; a failing test waits for it once. */
const DEADLINE_MS = 90_000;
/** The pause between two checks grows, so that long waits cost less. */
const LOOK_AFTER_MS = { least: 10, most: 50, growth: 1.2 };

/**
 * Waits until a condition on files or processes holds, at most for the deadline. Pauses at least twice as long as a
 * check takes: a check that runs a command must leave the processor to the work it waits for.
 */
export async function until(
  what: string,
  check: () => boolean | Promise<boolean>,
  deadlineMs = DEADLINE_MS,
): Promise<void> {
  const end = Date.now() + deadlineMs;
  let pause = LOOK_AFTER_MS.least;
  for (;;) {
    const begun = Date.now();
    if (await check()) return;
    const now = Date.now();
    if (now > end) throw new Error(`Waited ${deadlineMs} ms for ${what}`);
    await setTimeout(Math.max(pause, 2 * (now - begun)));
    pause = Math.min(LOOK_AFTER_MS.most, pause * LOOK_AFTER_MS.growth);
  }
}

interface Row {
  readonly id: string;
  readonly status: string;
  readonly assigned?: string;
}

/** Statuses of all tasks, by id. */
export async function statuses(cwd: string): Promise<Record<string, string>> {
  const { tasks } = await asked<{ tasks: Row[] }>(['list', '--show-internal'], { cwd });
  return Object.fromEntries(tasks.map((task) => [task.id, task.status]));
}

interface LoggedPatch {
  readonly id: string;
  readonly put?: { readonly status?: string };
  readonly set?: { readonly status?: string };
}

/** Patches in a line of the log; its other fields, such as the answer to a request, change nothing. */
function patchesOf(line: string): readonly LoggedPatch[] {
  return (JSON.parse(line) as { readonly patch: readonly LoggedPatch[] }).patch;
}

/** Waits until a task has this status, by reading the log. */
export async function untilStatus(cwd: string, id: string, status: string, deadlineMs?: number): Promise<void> {
  const log = path.join(cwd, '.workgraph/operations.jsonl');
  const about = `{"id":${JSON.stringify(id)},`;
  let [size, last]: [number, string | undefined] = [-1, undefined];
  await until(
    `${id} to be ${status}`,
    () => {
      const now = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
      if (now === size) return last === status;
      size = now;
      // The last line may be incomplete: it counts once its line feed is written.
      const lines = textOf(log).split('\n').slice(0, -1);
      const patches = lines.flatMap((line) => (line.includes(about) ? patchesOf(line) : []));
      const ofTask = patches.filter((patch) => patch.id === id).map(({ put, set }) => (put ?? set)?.status);
      last = ofTask.findLast((word) => word !== undefined);
      return last === status;
    },
    deadlineMs,
  );
}
