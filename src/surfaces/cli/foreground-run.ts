import { inert } from '#kernel/text.js';
import type { ForegroundSession } from './host.js';
import type { Invocation } from './invocation.js';
import type { LiveTask } from './live-view.js';
import { type LiveView, linesForPipes, rowsOnTerminal } from './live-view.js';
import type { ClientWishes } from './option-values.js';
import { sayToLand } from './worktree-landing.js';

export interface WatchOptions {
  readonly maxAgents: number;
  /** Options given on the command line; the settings supply the rest. */
  readonly clients: ClientWishes;
  /** Whether to exit when the work is over, without waiting for a key. */
  readonly exit: boolean;
}

/** Work in progress that the terminal follows and summarises at its end. */
export interface Work {
  /** Ids of its tasks. */
  readonly tasks: ReadonlySet<string>;
  /** Whether the summary is available; called after each change of a task. */
  summable(tasks: readonly LiveTask[]): Promise<boolean>;
  summary(): Promise<Summary>;
  /** Whether nothing is left to do. Clean-up tasks may still run after the summary. */
  over(tasks: readonly LiveTask[]): boolean;
}

/** Outcome of the work. */
export interface Summary {
  /** Fields of the `finished` event of `--json`. */
  readonly facts: object;
  /** Prints the outcome for people. */
  print(): Promise<void>;
  readonly exitCode: number;
}

export const ENDED: ReadonlySet<string> = new Set(['done', 'failed', 'abandoned']);
const INTERRUPTED = 130;
const CONTROL_C = 3;

/**
 * Starts work in the foreground, or in the service if one runs, and follows it until it is over. Returns the exit code:
 * 130 if interrupted.
 */
export async function watchWork(
  invocation: Invocation,
  projectFolder: string,
  options: WatchOptions,
  begin: (session: ForegroundSession) => Promise<Work>,
): Promise<number> {
  const { host, screen, json } = invocation;
  const { maxAgents, clients } = options;
  const session = await host.openSession(projectFolder, { maxAgents, clients });
  const keys = watchKeys(invocation, async () => screen.aside(`Dashboard: ${await session.dashboardLink()}`));
  try {
    const events = json ? { from: (await session.call('graph.picture', {})).seq + 1, print: screen.line } : undefined;
    const work = await begin(session);
    if (staysUp(invocation, session, options)) {
      const address = await session.dashboardLink();
      if (json) screen.line(JSON.stringify({ event: 'dashboard', address }));
      else screen.aside(`Dashboard: ${screen.colour.cyan(address)}`);
    }
    const view = json ? undefined : viewOf(invocation);
    const finished = await follow(session, work, (tasks) => work.summable(tasks), {
      view,
      events,
      stopped: keys.stopped,
    });
    view?.end();
    if (!finished) {
      screen.aside(whatStopping(invocation, session));
      return INTERRUPTED;
    }
    const { facts, print, exitCode } = await work.summary();
    if (json) screen.line(JSON.stringify({ event: 'finished', project_folder: projectFolder, ...facts }));
    else {
      await print();
      const { to_land: toLand } = await session.call('status.now', {});
      if (toLand > 0) screen.aside(sayToLand(toLand));
    }
    // Clean-up continues during the wait; leaving ends it with the session, and only a service carries on with it.
    const cleaning = follow(session, work, async (tasks) => work.over(tasks), { stopped: keys.stopped });
    if (host.out.isTTY && !options.exit && !json) {
      screen.aside(screen.colour.dim('The dashboard stays up. Press q to quit, d for a new link.'));
      await Promise.all([cleaning, keys.interrupted]);
    }
    if (!(await cleaning)) screen.aside(whatStopping(invocation, session));
    return exitCode;
  } finally {
    keys.release();
    await session.stop();
  }
}

/**
 * Whether to print a dashboard link: only if there is time to open it, in a service or while the terminal waits for
 * `q`.
 */
function staysUp({ host, json }: Invocation, session: ForegroundSession, { exit }: WatchOptions): boolean {
  return session.inService || (!exit && (json || host.out.isTTY));
}

function whatStopping({ host, folder }: Invocation, session: ForegroundSession): string {
  if (session.inService) {
    return 'No longer watching: the service continues. Check with `troupe status`.';
  }
  const elsewhere = host.findProject(folder) === session.projectFolder ? [] : ['--dir', inert(session.projectFolder)];
  const command = ['troupe run --resume', ...elsewhere].join(' ');
  return `Stopping: running tasks are released. Resume with \`${command}\`.`;
}

interface Following {
  readonly view?: LiveView | undefined;
  /**
   * Prints log entries as JSON lines from this sequence number on: the entries that started the work precede the first
   * read of the graph.
   */
  readonly events?: { readonly from: number; print(line: string): void } | undefined;
  readonly stopped: AbortSignal;
}

/**
 * Follows the log until `isSoFar` resolves to true and the entries that led to it are printed. Returns false if stopped
 * earlier.
 */
async function follow(
  session: ForegroundSession,
  work: Work,
  isSoFar: (tasks: readonly LiveTask[]) => Promise<boolean>,
  { view, events, stopped }: Following,
): Promise<boolean> {
  if (stopped.aborted) return false;
  const stop = new AbortController();
  const abort = () => stop.abort();
  stopped.addEventListener('abort', abort);
  const interrupted = new Promise<undefined>((resolve) => stopped.addEventListener('abort', () => resolve(undefined)));
  const look = async () => {
    const picture = await session.call('graph.picture', {});
    const byId = new Map(picture.tasks.map((task) => [task.id, task]));
    const mine = [...work.tasks].map((id) => byId.get(id)).filter((task) => task !== undefined);
    view?.show(mine);
    return { seq: picture.seq, isOver: await isSoFar(mine) };
  };
  /** Returns undefined when stopped, even if no answer ever comes. */
  const lookUntilStopped = () => Promise.race([look(), interrupted]);
  let seen = await lookUntilStopped();
  if (seen === undefined) return false;
  const from = events?.from ?? seen.seq + 1;
  if (seen.isOver && from > seen.seq) abort();
  for await (const entry of session.follow(from, stop.signal)) {
    const { op, seq, timestamp, task_id } = entry;
    events?.print(JSON.stringify({ event: op, seq, timestamp, task_id }));
    if (seq > seen.seq && task_id !== undefined) seen = await lookUntilStopped();
    if (seen === undefined) return false;
    if (seen.isOver && seq >= seen.seq) abort();
  }
  stopped.removeEventListener('abort', abort);
  return !stopped.aborted;
}

function viewOf({ host, screen }: Invocation): LiveView {
  const now = () => Date.now();
  return host.out.isTTY && host.environment['TERM'] !== 'dumb'
    ? rowsOnTerminal(host.out, screen, now)
    : linesForPipes(screen, now);
}

/** Stops at `q`, Ctrl-C or SIGTERM and requests a new link at `d`; `release` restores the terminal. */
function watchKeys(
  { host }: Invocation,
  newLink: () => Promise<void>,
): { stopped: AbortSignal; interrupted: Promise<void>; release(): void } {
  const stop = new AbortController();
  const ask = () => stop.abort();
  const interrupted = new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve()));
  process.on('SIGINT', ask);
  process.on('SIGTERM', ask);
  const input = process.stdin;
  const keyboard = host.out.isTTY && input.isTTY;
  const key = (data: Buffer) => {
    if (data.toString() === 'q' || data[0] === CONTROL_C) ask();
    else if (data.toString() === 'd') newLink().catch(ask);
  };
  if (keyboard) {
    input.setRawMode(true);
    input.resume();
    input.on('data', key);
  }
  return {
    stopped: stop.signal,
    interrupted,
    release: () => {
      process.off('SIGINT', ask);
      process.off('SIGTERM', ask);
      if (!keyboard) return;
      input.off('data', key);
      input.setRawMode(false);
      input.pause();
    },
  };
}
