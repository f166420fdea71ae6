import path from 'node:path';
import { inert } from '#kernel/text.js';
import type { ClientWishes } from './client-wishes.js';
import type { Session } from './host.js';
import type { Invocation } from './invocation.js';
import type { LiveTask } from './live-rows.js';
import { type LiveView, linesForPipes, rowsOnTerminal } from './live-view.js';
import { RENDERERS } from './renderers.js';
import { sayToLand } from './worktree-landing.js';

export interface Review {
  readonly workflow: string;
  readonly run: string;
  readonly maxAgents: number;
  readonly resume: boolean;
  readonly exit: boolean;
  readonly dependenciesFrom?: string;
  /** Only what was asked for: a review itself needs no client, and other tasks of the project are not its business. */
  readonly clients: ClientWishes;
}

const ENDED = new Set(['done', 'failed', 'abandoned']);
const INTERRUPTED = 130;
const CONTROL_C = 3;

/** Casts if need be, makes the tasks, shows them being done, and ends with what to do first. */
export async function watchReview(invocation: Invocation, projectFolder: string, review: Review): Promise<number> {
  const { host, screen, json } = invocation;
  const session = await host.openSession(projectFolder, { maxAgents: review.maxAgents, clients: review.clients });
  const keys = watchKeys(invocation, async () => screen.aside(`Dashboard: ${await session.dashboardLink()}`));
  try {
    const ids = await tasksOf(invocation, session, review);
    if (staysUp(invocation, session, review)) {
      const address = await session.dashboardLink();
      if (json) screen.line(JSON.stringify({ event: 'dashboard', address }));
      else screen.aside(`Dashboard: ${screen.colour.cyan(address)}`);
    }
    const view = json ? undefined : viewOf(invocation);
    const finished = await untilEnded(session, ids, view, keys.stopped, json ? screen.line : undefined);
    view?.end();
    if (!finished) {
      screen.aside(whatStopping(invocation, session));
      return INTERRUPTED;
    }
    const summary = await session.call('review.summary', { review: ids.review });
    if (json) screen.line(JSON.stringify({ event: 'finished', project_folder: projectFolder, ...(summary as object) }));
    else {
      await printSummary(invocation, projectFolder, summary);
      const { to_land: toLand } = (await session.call('status.now', {})) as { to_land: number };
      if (toLand > 0) screen.aside(sayToLand(toLand));
    }
    if (host.out.isTTY && !review.exit && !json) {
      screen.aside(screen.colour.dim('The dashboard stays up. Press q to end, d for a new link to it.'));
      await keys.asked;
    }
    return 0;
  } finally {
    keys.release();
    await session.stop();
  }
}

/** A link is worth printing when there is time to open it: in a service, and on a terminal that waits for q. */
function staysUp({ host, json }: Invocation, session: Session, review: Review): boolean {
  return session.inService || (!review.exit && (json || host.out.isTTY));
}

function whatStopping({ host, folder }: Invocation, session: Session): string {
  if (session.inService) {
    return 'No longer watching: the service goes on with the review. See it with `troupe status`.';
  }
  const elsewhere = host.findProject(folder) === session.projectFolder ? '' : ` --dir ${inert(session.projectFolder)}`;
  return `Stopping: running tasks are given back. Go on with \`troupe run --resume${elsewhere}\`.`;
}

interface ReviewTasks {
  readonly review: string;
  readonly ids: ReadonlySet<string>;
}

/** The tasks of a new review, or with --resume those of the one that was interrupted. */
async function tasksOf(invocation: Invocation, session: Session, review: Review): Promise<ReviewTasks> {
  const { screen } = invocation;
  if (review.resume) {
    const open = await openReview(session);
    if (open) {
      screen.aside(`Going on with ${open.review}.`);
      return open;
    }
    screen.aside('Nothing was interrupted: this is a new review.');
  }
  const team = (await session.call('team.ensure', { workflow: review.workflow })) as TeamFacts;
  screen.aside(
    `${team.cast ? 'Cast' : 'The team is'} ${team.members} members from ${inert(team.universe)}, led by ${screen.colour.bold(inert(team.leader))}.`,
  );
  const made = (await session.call('workflow.run', {
    id: review.workflow,
    // Somebody at the terminal asks for just this.
    override: true,
    run: review.run,
    ...(review.dependenciesFrom === undefined ? {} : { dependenciesFrom: review.dependenciesFrom }),
  })) as { review: string; task_ids: string[]; warnings: string[] };
  for (const warning of made.warnings) screen.aside(`${screen.colour.yellow('warning:')} ${inert(warning)}`);
  return { review: made.review, ids: new Set(made.task_ids) };
}

interface TeamFacts {
  readonly cast: boolean;
  readonly universe: string;
  readonly members: number;
  readonly leader: string;
}

/** The latest review that still has work to do. */
async function openReview(session: Session): Promise<ReviewTasks | undefined> {
  const { tasks } = (await session.call('task.list', {})) as {
    tasks: { id: string; status: string; tags: string[] }[];
  };
  const reviewOf = (task: { tags: string[] }) => task.tags.find((tag) => tag.startsWith('wf:'))?.slice('wf:'.length);
  const unfinished = tasks.filter((task) => !ENDED.has(task.status)).map(reviewOf);
  const review = unfinished.filter((name) => name !== undefined).at(-1);
  if (review === undefined) return undefined;
  return { review, ids: new Set(tasks.filter((task) => reviewOf(task) === review).map((task) => task.id)) };
}

/** Follows the graph until all tasks have ended. False when somebody asked to stop before. */
async function untilEnded(
  session: Session,
  tasks: ReviewTasks,
  view: LiveView | undefined,
  stopped: AbortSignal,
  event: ((line: string) => void) | undefined,
): Promise<boolean> {
  const stop = new AbortController();
  const abort = () => stop.abort();
  stopped.addEventListener('abort', abort);
  const look = async () => {
    const picture = (await session.call('graph.picture', {})) as { seq: number; tasks: LiveTask[] };
    const byId = new Map(picture.tasks.map((task) => [task.id, task]));
    const mine = [...tasks.ids].map((id) => byId.get(id)).filter((task) => task !== undefined);
    view?.show(mine);
    if (mine.every((task) => ENDED.has(task.state))) stop.abort();
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

/** The summary with whole paths: in a trial nobody stands in the project's folder. */
async function printSummary({ screen }: Invocation, projectFolder: string, summary: unknown): Promise<void> {
  const { files, ...rest } = summary as { files: Record<string, string> };
  const whole = Object.fromEntries(Object.entries(files).map(([kind, file]) => [kind, path.join(projectFolder, file)]));
  const renderer = await RENDERERS['review.summary']?.();
  screen.line();
  await renderer?.render({ ...rest, files: whole } as never, screen, { serviceAnswers: async () => true });
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
