import { inert } from '#kernel/text.js';
import type { ClientWishes } from './client-wishes.js';
import type { Session } from './host.js';
import type { Invocation } from './invocation.js';
import type { LiveTask } from './live-rows.js';
import { type LiveView, linesForPipes, rowsOnTerminal } from './live-view.js';
import { sayToLand } from './worktree-landing.js';

export interface WatchOptions {
  readonly maxAgents: number;
  /** What was asked for; the settings say the rest. */
  readonly clients: ClientWishes;
  /** Whether to end by itself, without waiting for a key. */
  readonly exit: boolean;
}

/** Work that is begun, shown while it is done, and told of at its end. */
export interface Work<Facts extends object> {
  /** The tasks it is made of. */
  begin(session: Session): Promise<ReadonlySet<string>>;
  /** Whether nothing more will come of it; asked after each change of a task. */
  over(session: Session, tasks: readonly LiveTask[]): Promise<boolean>;
  /** Facts of its end for programs, after `finished`. */
  facts(session: Session): Promise<Facts>;
  /** The same for people. Answers the exit code. */
  tell(facts: Facts): Promise<number>;
  /** What goes on with it later, when it is stopped before its end. */
  readonly resume: string;
}

export const ENDED: ReadonlySet<string> = new Set(['done', 'failed', 'abandoned']);
const INTERRUPTED = 130;
const CONTROL_C = 3;

/** Begins work in the foreground, or in the service where there is one, and stays until it is over. */
export async function watchWork<Facts extends object>(
  invocation: Invocation,
  projectFolder: string,
  options: WatchOptions,
  work: Work<Facts>,
): Promise<number> {
  const { host, screen, json } = invocation;
  const { maxAgents, clients } = options;
  const session = await host.openSession(projectFolder, { maxAgents, clients });
  const keys = watchKeys(invocation, async () => screen.aside(`Dashboard: ${await session.dashboardLink()}`));
  try {
    const ids = await work.begin(session);
    if (staysUp(invocation, session, options)) {
      const address = await session.dashboardLink();
      if (json) screen.line(JSON.stringify({ event: 'dashboard', address }));
      else screen.aside(`Dashboard: ${screen.colour.cyan(address)}`);
    }
    const view = json ? undefined : viewOf(invocation);
    const finished = await untilOver(session, work, ids, view, keys.stopped, json ? screen.line : undefined);
    view?.end();
    if (!finished) {
      screen.aside(whatStopping(invocation, session, work));
      return INTERRUPTED;
    }
    const facts = await work.facts(session);
    if (json) screen.line(JSON.stringify({ event: 'finished', project_folder: projectFolder, ...facts }));
    const code = await work.tell(facts);
    if (!json) {
      const { to_land: toLand } = await session.call('status.now', {});
      if (toLand > 0) screen.aside(sayToLand(toLand));
    }
    if (host.out.isTTY && !options.exit && !json) {
      screen.aside(screen.colour.dim('The dashboard stays up. Press q to end, d for a new link to it.'));
      await keys.asked;
    }
    return code;
  } finally {
    keys.release();
    await session.stop();
  }
}

/** A link is worth printing when there is time to open it: in a service, and on a terminal that waits for q. */
function staysUp({ host, json }: Invocation, session: Session, { exit }: WatchOptions): boolean {
  return session.inService || (!exit && (json || host.out.isTTY));
}

function whatStopping(
  { host, folder }: Invocation,
  session: Session,
  { resume }: Pick<Work<object>, 'resume'>,
): string {
  if (session.inService) {
    return 'No longer watching: the service goes on with it. See it with `troupe status`.';
  }
  const elsewhere = host.findProject(folder) === session.projectFolder ? '' : ` --dir ${inert(session.projectFolder)}`;
  return `Stopping: running tasks are given back. Go on with \`${resume}${elsewhere}\`.`;
}

/** Follows the graph until the work is over. False when somebody asked to stop before. */
async function untilOver(
  session: Session,
  work: Pick<Work<object>, 'over'>,
  ids: ReadonlySet<string>,
  view: LiveView | undefined,
  stopped: AbortSignal,
  event: ((line: string) => void) | undefined,
): Promise<boolean> {
  const stop = new AbortController();
  const abort = () => stop.abort();
  stopped.addEventListener('abort', abort);
  const look = async () => {
    const picture = await session.call('graph.picture', {});
    const byId = new Map(picture.tasks.map((task) => [task.id, task]));
    const mine = [...ids].map((id) => byId.get(id)).filter((task) => task !== undefined);
    view?.show(mine);
    if (await work.over(session, mine)) stop.abort();
    return picture.seq;
  };
  const seq = await look();
  for await (const entry of session.follow(seq + 1, stop.signal)) {
    event?.(JSON.stringify({ event: entry.op, seq: entry.seq, timestamp: entry.timestamp, task_id: entry.task_id }));
    if (entry.task_id !== undefined) await look();
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

/** `q`, Ctrl-C and TERM end the watching, `d` asks for a new link; the terminal is given back as it was. */
function watchKeys(
  { host }: Invocation,
  newLink: () => Promise<void>,
): { stopped: AbortSignal; asked: Promise<void>; release(): void } {
  const stop = new AbortController();
  const ask = () => stop.abort();
  const asked = new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve()));
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
    asked,
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
