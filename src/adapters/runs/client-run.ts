import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { aboveLimit, chargeable } from '#core/coordinator/budget.js';
import type { ExecutorEvent, ProcessExit, Usage, Verdict } from '#core/runs/event.js';
import { builtInExecutor } from '#core/runs/executor-table.js';
import { type Parser, parserOf } from '#core/runs/parser.js';
import { type Price, priced } from '#core/runs/prices.js';
import { limitIn } from '#core/runs/provider-trouble.js';
import { endReason, errorEvent, plainReader } from '#core/runs/reader.js';
import { resetIn, resetMoment } from '#core/runs/reset-time.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { waitAtMost } from '#kernel/wait-at-most.js';
import type { Processes } from '#ports/processes.js';
import { type ClientOrder, type ClientResult, readLimit, readOrder, readSandbox } from './client-files.js';
import { ClientRecord } from './client-record.js';
import { endLeftovers } from './leftovers.js';

export interface ClientRunOptions {
  /** Folder of the run, with its order and its prompt. */
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly processes: Processes;
  /** Descriptor of an open file for the output of the client. */
  readonly output: number;
}

/**
 * Runs a client to its end and records its result. Returns whether it succeeded according to its own last event. A
 * SIGTERM is forwarded to the client, followed by SIGKILL after the grace period; processes that the client leaves
 * behind are killed.
 */
export async function runClient({ folder, environment, processes, output }: ClientRunOptions): Promise<boolean> {
  const order = readOrder(folder);
  const sandbox = readSandbox(folder);
  const prompt = readFileSync(path.join(folder, 'prompt.txt'));
  const secrets = order.secrets.flatMap((name) => secretsIn(name, environment[name] ?? ''));
  const record = new ClientRecord(folder, output, secrets, order.beatMs);
  const reader = (order.stream && builtInExecutor(order.stream)?.reader(order.before)) || plainReader();
  const parser = parserOf(reader);
  const ending = new ClientTermination(processes, folder);
  // Its own process group, so that it can be signalled as a whole without signalling us.
  const place = { cwd: order.folder, env: environmentOf(order, environment, folder), detached: true };
  let verdict: Judged;
  let exit: ProcessExit = { code: null, signal: null };
  /** Last part of standard error. */
  let complaint = '';
  const scale = new SpendMonitor(folder, order, ending);
  try {
    const [program = '', ...args] = [...sandbox, order.program, ...order.args];
    const child = spawn(program, args, { ...place, stdio: ['pipe', 'pipe', 'pipe'] });
    ending.of(child);
    child.stdin.on('error', () => undefined); // the client ended without reading its prompt: its verdict reports that
    child.stdin.end(prompt);
    const drained = Promise.all([
      follow(child.stdout, (text) => {
        record.print(text, 'out');
        const events = parser.feed(text).map((event) => withPrice(event, order.price));
        record.events(events);
        scale.take(events);
      }),
      follow(child.stderr, (text) => {
        record.print(text, 'err');
        complaint = (complaint + text).slice(-WORK_LIMITS.lastLinesBytes);
      }),
    ]);
    exit = await exitOf(child);
    ending.leftovers(); // they may keep the output open
    await waitAtMost(WORK_LIMITS.outputDrainMs, drained);
    ending.leftovers();
    verdict = withComplaint(verdictOf(parser, exit), complaint);
    verdict = { ...verdict, usage: priced(verdict.usage, order.price) };
    if (scale.above !== undefined && exit.code !== 0)
      verdict = { ...verdict, outcome: 'failed', reason: `${scale.above}.`, spent: true };
    if (verdict.outcome === 'succeeded' && order.check !== undefined) {
      verdict = await checked(order.check, verdict, { ...place, sandbox, ending, record });
      if (verdict.outcome === 'failed') record.events([errorEvent(verdict.reason)]);
    }
  } catch (error) {
    const reason = `${order.program} could not be started: ${(error as Error).message}`;
    record.print(`${reason}\n`, 'err');
    verdict = { ...verdictOf(parser, { code: 127, signal: null }), outcome: 'failed', reason };
  }
  scale.over();
  ending.over();
  // If we ended the client for exceeding its limit, the signal needs no report.
  const signal = scale.above === undefined ? signalOf(exit) : null;
  const resetsAt = verdict.reset && resetMoment(verdict.reset, Date.now(), ownZone());
  record.end({
    ...verdict,
    ...(resetsAt === undefined ? {} : { resetsAt }),
    ...(signal === null ? {} : { signal }),
  });
  return verdict.outcome === 'succeeded';
}

/**
 * Adds a provider limit found on standard error: a client that fails before its first answer may report it only there.
 */
function withComplaint(verdict: Verdict, complaint: string): Judged {
  const trouble = limitIn(complaint);
  if (verdict.outcome === 'succeeded' || verdict.trouble !== undefined || verdict.turns > 0 || trouble === undefined)
    return verdict;
  const reset = resetIn(complaint);
  return { ...verdict, trouble, ...(reset === undefined ? {} : { reset }) };
}

function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function withPrice(event: ExecutorEvent, price: Price | undefined): ExecutorEvent {
  return event.type === 'usage' ? { ...event, usage: priced(event.usage, price) } : event;
}

/**
 * The value of a variable; for headers (`Name: value`, one per line) also the value of each, with and without its
 * scheme.
 */
function secretsIn(name: string, value: string): string[] {
  if (!/HEADERS?$/i.test(name)) return [value];
  const headers = [...value.matchAll(/^[\w-]+:[ \t]*(.+)$/gm)].map((match) => match[1] ?? '');
  return [value, ...headers, ...headers.map((header) => header.replace(/^\w+ +/, ''))];
}

/** The signal that ended the client. A client started through a script reports SIGKILL only by exit code. */
function signalOf({ code, signal }: ProcessExit): string | null {
  return signal ?? (code === SIGNALLED + constants.signals.SIGKILL ? 'SIGKILL' : null);
}

/** A verdict, with the result of the task's check if it ran. */
type Judged = Verdict & Pick<ClientResult, 'check'>;

/**
 * Runs the check of the task where the client worked, in the environment of a command. It decides whether the task is
 * done.
 */
async function checked(
  check: string,
  verdict: Verdict,
  place: {
    cwd: string;
    env: Record<string, string>;
    detached: boolean;
    sandbox: readonly string[];
    ending: ClientTermination;
    record: ClientRecord;
  },
): Promise<Judged> {
  const { ending, record, sandbox, ...how } = place;
  const began = performance.now();
  const [program = '', ...args] = [...sandbox, 'bash', '--noprofile', '--norc', '-c', check];
  const child = spawn(program, args, { ...how, stdio: ['ignore', 'pipe', 'pipe'] });
  ending.of(child);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    ending.leftovers();
  }, WORK_LIMITS.verifyMs);
  let tail = '';
  const printed = (text: string, stream: 'out' | 'err') => {
    record.print(text, stream);
    tail = (tail + text).slice(-WORK_LIMITS.lastLinesBytes);
  };
  const output = Promise.all([
    follow(child.stdout, (text) => printed(text, 'out')),
    follow(child.stderr, (text) => printed(text, 'err')),
  ]);
  const { code, signal } = await exitOf(child);
  clearTimeout(timer);
  ending.leftovers();
  await waitAtMost(WORK_LIMITS.outputDrainMs, output);
  const lastLines = tail.trimEnd().split('\n').slice(-WORK_LIMITS.lastLines).join('\n');
  const evidence = { check: { code: code ?? SIGNALLED, ms: Math.round(performance.now() - began), lastLines } };
  if (code === 0) return { ...verdict, ...evidence };
  const ended = late ? `took longer than ${WORK_LIMITS.verifyMs / 1_000} s` : `ended with ${code ?? signal}`;
  return { ...verdict, ...evidence, outcome: 'failed', reason: `The check of the task ${ended}` };
}

/**
 * Compares the usage of a client with its limit. A client above its limit is ended after a delay: the service sees the
 * usage in the heartbeat and may raise the limit, and a client that has just reported success ends by itself.
 */
class SpendMonitor {
  /** Reason for ending the client because of its usage. */
  above: string | undefined;
  private readonly folder: string;
  private readonly order: ClientOrder;
  private readonly ending: ClientTermination;
  private usage: Usage | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(folder: string, order: ClientOrder, ending: ClientTermination) {
    this.folder = folder;
    this.order = order;
    this.ending = ending;
  }

  take(events: readonly ExecutorEvent[]): void {
    for (const event of events) if (event.type === 'usage') this.usage = event.usage;
    if (this.timer !== undefined || this.weighed() === undefined) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.above = this.weighed();
      if (this.above !== undefined) this.ending.begin();
    }, WORK_LIMITS.topUpWaitMs);
  }

  over(): void {
    clearTimeout(this.timer);
  }

  private weighed(): string | undefined {
    const { limit, capsItself } = this.order;
    if (this.usage === undefined || limit === undefined) return undefined;
    const usage = chargeable(this.usage, capsItself);
    return aboveLimit(usage, limit) && aboveLimit(usage, readLimit(this.folder) ?? limit);
  }
}

/** Exit codes of shells for a program ended by a signal: this number plus the signal. */
const SIGNALLED = 128;

function verdictOf(parser: Parser, exit: ProcessExit): Verdict {
  const verdict = parser.end(exit);
  if (verdict.outcome === 'succeeded' || exit.code === null || exit.code === 0) return verdict;
  const [code, said] = [`Agent exited with code ${exit.code}`, verdict.reason];
  // A program without a result of its own is judged by that code: it is not said twice.
  const isCodeAgain = said === endReason('command', exit) || said === endReason('client', exit);
  return { ...verdict, reason: isCodeAgain ? code : `${code}: ${said}` };
}

function environmentOf(order: ClientOrder, ours: NodeJS.ProcessEnv, folder: string): Record<string, string> {
  const passed = order.passes.flatMap((name) => {
    const value = ours[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(passed), ...order.environment, WG_RUN: folder };
}

function follow(stream: Readable, take: (text: string) => void): Promise<void> {
  const decoder = new StringDecoder('utf8');
  return new Promise((resolve) => {
    stream.on('data', (bytes: Buffer) => take(decoder.write(bytes)));
    stream.on('error', () => resolve());
    stream.on('end', () => {
      take(decoder.end());
      resolve();
    });
  });
}

/** Resolves on `exit`, not `close`: a process that the client leaves behind may hold its output open forever. */
function exitOf(child: ChildProcess): Promise<ProcessExit> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

/** Ends a client and its descendants: first its process group, then all processes that carry the mark of the run. */
class ClientTermination {
  private readonly processes: Processes;
  private readonly folder: string;
  private group: number | undefined;
  /** Each program we start leads its own session. */
  private readonly sessions = new Set<number>();
  private hard: NodeJS.Timeout | undefined;
  private readonly onSignal = () => this.begin();

  constructor(processes: Processes, folder: string) {
    this.processes = processes;
    this.folder = folder;
    for (const signal of SIGNALS) process.on(signal, this.onSignal);
  }

  of(child: ChildProcess): void {
    this.group = child.pid;
    if (child.pid !== undefined) this.sessions.add(child.pid);
  }

  leftovers(): void {
    if (this.group !== undefined) this.processes.signalGroup(this.group, 'SIGKILL');
    endLeftovers(this.processes, new Set([this.folder]), this.sessions);
  }

  over(): void {
    clearTimeout(this.hard);
    for (const signal of SIGNALS) process.off(signal, this.onSignal);
  }

  /** Sends SIGTERM now and SIGKILL after the grace period. */
  begin(): void {
    if (this.hard !== undefined) return;
    if (this.group !== undefined) this.processes.signalGroup(this.group, 'SIGTERM');
    this.hard = setTimeout(() => this.leftovers(), WORK_LIMITS.killGraceMs);
  }
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
