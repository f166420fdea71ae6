import path from 'node:path';
import { TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { inert } from '#kernel/text.js';
import type { Output } from '#operations/map.js';
import type { StartOptions } from '#surfaces/cli/host.js';
import type { Invocation } from '#surfaces/cli/invocation.js';
import { clientWishes, wholeNumber } from '#surfaces/cli/option-values.js';
import { listensLine, serviceLine, tellMissing } from '#surfaces/cli/render/service.js';
import { printTable } from '#surfaces/cli/table.js';
import { callNamed } from './call-named.js';

/**
 * Commands of the service: each sends a request to it, or to the host that starts it, and prints the result on one
 * line.
 */
export async function startCommand(invocation: Invocation): Promise<number> {
  const { host, screen, json, folder, input } = invocation;
  const state = await host.startService(startOptions(input, folder), input['force'] === true, folder);
  if (state.leader !== undefined) return standsBy(invocation, state.pid, state.leader);
  const missing = await missingClient(invocation);
  if (json) screen.line(JSON.stringify({ ...state, ...missing.fields }));
  else {
    screen.line(`The service is running (pid ${state.pid}). Check it with \`troupe service status\`.`);
    missing.tell();
  }
  return 0;
}

export async function restart(invocation: Invocation): Promise<number> {
  const { host, screen, json, folder, input } = invocation;
  const state = await host.restartService(startOptions(input, folder), folder);
  if (state.leader !== undefined) return standsBy(invocation, state.pid, state.leader);
  const missing = await missingClient(invocation);
  if (json) screen.line(JSON.stringify({ ...state, ...missing.fields }));
  else {
    const { pid, restarted } = state;
    screen.line(
      restarted
        ? `The service was restarted (pid ${pid}). Running tasks continued.`
        : `No service was running: it has been started (pid ${pid}).`,
    );
    missing.tell();
  }
  return 0;
}

function standsBy({ screen, json }: Invocation, pid: number, leader: string): number {
  if (json) screen.line(JSON.stringify({ pid, stands_by: true, leader }));
  else
    screen.line(
      `The service stands by (pid ${pid}): ${inert(leader)} leads the project. It takes over when that one is gone.`,
    );
  return 0;
}

export async function stopCommand({ host, screen, json, folder, input }: Invocation): Promise<number> {
  const killAgents = input['kill_agents'] === true;
  const waiting = killAgents
    ? 'Its runs are being ended: each client gets some seconds to exit.'
    : 'It finishes what it has begun.';
  const late = setTimeout(() => {
    if (!json) screen.aside(screen.colour.dim(waiting));
  }, WORK_LIMITS.waitToldMs);
  const stopping = host.stopService({ killAgents, force: input['force'] === true }, folder);
  const { pid } = await stopping.finally(() => clearTimeout(late));
  if (json) screen.line(JSON.stringify({ stopping: true, pid }));
  else
    screen.line(
      killAgents ? 'The service and its runs are stopped.' : 'The service is stopped. Running tasks continue.',
    );
  return 0;
}

interface Row {
  readonly do: string;
  readonly task?: string;
  readonly run?: string;
  readonly reason: string;
}

interface Answer extends Partial<Output<'service.status'>> {
  readonly decisions: readonly Row[];
  /** Decisions that followed from asynchronous effects of the tick; absent in a dry run. */
  readonly consequences?: readonly Row[];
}

/**
 * Runs one tick, in the service or here, and prints its decisions; in a dry run only what would be decided. A service
 * also returns its status.
 */
export async function tickCommand({ host, screen, json, folder, input }: Invocation): Promise<number> {
  const answer = (await host.tick(input['dry_run'] === true, folder)) as Answer;
  if (json) {
    screen.line(JSON.stringify(answer));
    return 0;
  }
  const rows = [...answer.decisions, ...(answer.consequences ?? [])];
  if (rows.length === 0) {
    const paused = answer.coordinator?.paused === true;
    screen.line(
      `There is nothing to do now. ${paused ? 'New tasks start after `troupe service resume`' : '`troupe ready` lists the ready tasks'}.`,
    );
  } else printTable(screen, rows, [['DECISION=do', 'task', 'run', 'BECAUSE=reason…']]);
  const { pid, started_at, agents, coordinator } = answer;
  if (pid !== undefined && started_at !== undefined && agents && coordinator)
    screen.line(serviceLine({ pid, started_at, agents, coordinator }));
  return 0;
}

/** Concurrency and poll interval, as far as given. */
function paceOf(input: Invocation['input']): { maxAgents?: number; seconds?: number } {
  const { max_agents: agents, poll_interval: seconds } = input;
  return {
    ...(agents === undefined ? {} : { maxAgents: wholeNumber(agents, 1, 'max-agents', WORK_LIMITS.agentsMost) }),
    ...(seconds === undefined
      ? {}
      : { seconds: wholeNumber(seconds, 1, 'poll-interval', WORK_LIMITS.pollIntervalMostSeconds) }),
  };
}

/** Options of a service to start, as far as given; the settings supply the rest. Paths are relative to `from`. */
function startOptions(input: Invocation['input'], from: string): StartOptions {
  const { maxAgents, seconds } = paceOf(input);
  return {
    ...(maxAgents === undefined ? {} : { maxAgents }),
    ...(seconds === undefined ? {} : { pollMs: seconds * 1_000 }),
    clients: clientWishes(input),
    ...(input['socket'] === undefined ? {} : { socket: path.resolve(from, String(input['socket'])) }),
    ...listenOptions(input, from),
  };
}

/** Errors: `usage` for files of a certificate without an address. */
function listenOptions(input: Invocation['input'], from: string): Pick<StartOptions, 'listen'> {
  const { listen, tls_cert, tls_key } = input;
  if (listen === undefined) {
    if (tls_cert === undefined && tls_key === undefined) return {};
    throw new TroupeError('usage', { what: 'The files of a certificate need an address: use --listen, too.' });
  }
  const file = (name: string, word: unknown) =>
    word === undefined ? {} : { [name]: path.resolve(from, String(word)) };
  return { listen: { address: String(listen), ...file('cert', tls_cert), ...file('key', tls_key) } };
}

interface Missing {
  /** Fields for `--json`. */
  readonly fields: {
    readonly executor_missing?: string;
    readonly teams_problem?: string;
    readonly worktree_gaps?: readonly string[];
    readonly listens?: readonly string[];
  };
  /** Prints warnings for people on stderr, if there are any. */
  tell(): void;
}

/** Asks the running service whether its client is missing, and for problems with worktrees, teams and messages. */
async function missingClient({ host, folder, screen }: Invocation): Promise<Missing> {
  const status = await callNamed(host, 'service.status', {}, folder);
  const { coordinator, teams_problem: trouble, worktree_gaps: gaps = [], listens = [] } = status;
  const { executor_missing: missing } = coordinator;
  const fields = {
    ...(missing === undefined ? {} : { executor_missing: missing }),
    ...(gaps.length === 0 ? {} : { worktree_gaps: gaps }),
    ...(listens.length === 0 ? {} : { listens }),
  };
  const tell = () => {
    if (listens.length > 0) screen.line(listensLine(listens));
    tellMissing(coordinator, screen);
    for (const gap of gaps) screen.aside(screen.colour.yellow(inert(gap)));
  };
  if (trouble === undefined) return { fields, tell };
  const tellBoth = () => {
    tell();
    screen.aside(screen.colour.red(inert(trouble)));
  };
  return { fields: { ...fields, teams_problem: trouble }, tell: tellBoth };
}
