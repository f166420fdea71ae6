import { systemClock, timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';
import type { JsonObject } from '#kernel/json.js';
import { inert } from '#kernel/text.js';
import { callerFrom } from '#main/compose.js';
import { refuseImpostor } from '#operations/calls-of-runs.js';
import type { CoordinatorLoop } from '#operations/coordinator/coordinator-loop.js';
import { decisionRows, tickRows } from '#operations/coordinator/decision-rows.js';
import type { OperationName } from '#operations/map.js';
import type { ModelBudget } from '#operations/models/budget.js';
import { specOf } from '#operations/named.js';
import type { Caller } from '#operations/operation.js';
import { agentRow, spawnRequest } from '#operations/runs/agents.js';
import type { RunFolders } from '#ports/run-folders.js';
import type { ServiceRequest, ServiceValues, SessionVerb, SocketRequest } from '#surfaces/socket/protocol.js';
import { socketRequest } from '#surfaces/socket/requests.js';

/** What answers are made of. */
export interface Answering {
  readonly coordinator: CoordinatorLoop;
  /** When the service began, in milliseconds. */
  readonly startedAt: number;
  readonly note: (text: string) => void;
  readonly models: ModelBudget;
  call(name: string, input: unknown, caller: Caller, requestId?: string): Promise<unknown>;
  runs(): Promise<RunFolders>;
  dashboardLink(caller: Caller): Promise<string>;
  logOut(): Promise<void>;
  reconfigure(values: ServiceValues): Promise<unknown>;
  /** The client and model in force. */
  inForce(): { readonly executor: string; readonly model: string | undefined };
  /** How many tasks could start now. */
  tasksReady(): Promise<number>;
  shutdown(how: { killRuns: boolean; force: boolean }): void;
}

/** Asked so often, or changing so little, that the log would hold nothing else. */
const NOT_NOTED: ReadonlySet<string> = new Set(['graph_changed', 'status', 'agents', 'heartbeat']);

/** Answers one line of the socket. */
export async function answerLine(service: Answering, line: JsonObject): Promise<unknown> {
  const request = socketRequest(line);
  if (request.cmd === 'operation') return await operate(service, request);
  if (!NOT_NOTED.has(request.cmd)) service.note(`request ${request.cmd}${asker(request.caller)}`);
  return await answerRequest(service, request);
}

/** What a run may ask of the service itself; all else, also what comes to be asked later, is for people. */
const OPEN_TO_RUNS: ReadonlySet<ServiceRequest['cmd']> = new Set([
  'graph_changed',
  'status',
  'agents',
  'heartbeat',
  'list_coordinators',
]);

/** A run is itself, asks for nothing a person decides, and says of no other run that it is at work. */
async function refuseRun(service: Answering, request: ServiceRequest): Promise<void> {
  const { caller } = request;
  if (caller?.kind !== 'run') return;
  const foreign = request.cmd === 'heartbeat' && request.agent_id !== caller.name;
  if (foreign || !OPEN_TO_RUNS.has(request.cmd)) {
    throw new TroupeError('not_yours', {
      what: `A run may not ask the service for \`${request.cmd}\`${foreign ? ' of another' : ''}: only a person may.`,
      hint: 'Log in your task what to do.',
      details: { run: caller.name },
    });
  }
  await refuseImpostor(await service.runs(), caller);
}

async function answerRequest(service: Answering, request: ServiceRequest): Promise<unknown> {
  const { coordinator } = service;
  await refuseRun(service, request);
  switch (request.cmd) {
    case 'graph_changed':
      coordinator.trigger();
      return { action: 'coordinator_wake_scheduled' };
    case 'status':
      return await statusOf(service);
    case 'tick':
      if (request.dry_run === true) return { decisions: decisionRows(await coordinator.preview()) };
      return { ...tickRows(await coordinator.tickThrough()), ...(await statusOf(service)) };
    case 'pause':
      coordinator.pause();
      await coordinator.roundEnd();
      return { paused: true };
    case 'resume':
      coordinator.resume();
      return { paused: false };
    case 'reconfigure': {
      const { cmd: _, caller: _who, ...values } = request;
      return await service.reconfigure(values);
    }
    case 'agents':
      return { agents: coordinator.agents().map((row) => agentRow(row, systemClock.now())) };
    case 'spawn':
      return await coordinator.spawn(spawnRequest(request));
    case 'kill': {
      const run = String(request.agent_id ?? request.pid ?? '');
      const caller = request.caller ?? callerFrom(process.env);
      return await service.call('agent.kill', { run, force: request.force === true }, caller);
    }
    case 'heartbeat':
      return { lease_until: timestamp(await coordinator.beat(request.agent_id, request.fence)) };
    case 'reserve_model': {
      const { purpose, model, task, prompt_bytes: promptBytes, time_ms: timeMs } = request;
      return { reservation: (await service.models.reserve({ purpose, model, task, promptBytes, timeMs })) ?? null };
    }
    case 'settle_model':
      await service.models.settle(request.reservation, request.free ? { free: true } : { usage: request.usage });
      return { reservation: request.reservation };
    case 'dashboard':
      if (request.logout === true) {
        await service.logOut();
        return { sessions: 0 };
      }
      return { address: await service.dashboardLink(request.caller ?? personHere()) };
    case 'create_coordinator':
    case 'list_coordinators':
    case 'stop_coordinator':
    case 'archive_coordinator':
    case 'delete_coordinator':
    case 'pause_coordinator':
    case 'resume_coordinator':
    case 'user_chat':
      return await askSession(service, request);
    case 'shutdown':
      service.shutdown({ killRuns: request.kill_agents === true, force: request.force === true });
      return { stopping: true };
  }
}

const SESSION_OPERATIONS: Readonly<Record<SessionVerb, OperationName>> = {
  create_coordinator: 'session.create',
  list_coordinators: 'session.list',
  stop_coordinator: 'session.stop',
  archive_coordinator: 'session.archive',
  delete_coordinator: 'session.delete',
  pause_coordinator: 'session.pause',
  resume_coordinator: 'session.resume',
  user_chat: 'session.chat',
};

async function askSession(
  service: Answering,
  request: Extract<ServiceRequest, { cmd: SessionVerb }>,
): Promise<unknown> {
  const { cmd, caller = personHere(), ...fields } = request;
  const { id, ...rest } = fields;
  const input = cmd === 'user_chat' ? { ...rest, ...(id === undefined ? {} : { coordinator: id }) } : fields;
  return await service.call(SESSION_OPERATIONS[cmd], input, caller);
}

async function operate(service: Answering, request: Extract<SocketRequest, { cmd: 'operation' }>): Promise<unknown> {
  const spec = specOf(request.name);
  if (spec.where === 'caller')
    throw new TroupeError('bad_input', { what: `${request.name} does not run in the service.` });
  const caller = request.caller ?? (await callerOf(service, request.run_token));
  if (spec.kind === 'write') service.note(`request ${spec.name}${asker(caller)}`);
  return await service.call(request.name, request.input, caller, request.request_id);
}

/** Whoever shows the token of a run at work is that run; without one it is the person whose socket this is. */
async function callerOf(service: Answering, token: string | undefined): Promise<Caller> {
  if (token === undefined) return personHere();
  const runs = await service.runs();
  for (const { id } of service.coordinator.agents()) {
    const identity = await runs.identity(id);
    if (identity?.tokenHash === sha256(token))
      return { kind: 'run', name: id, taskId: identity.taskId, fence: identity.fence, token };
  }
  throw new TroupeError('bad_run_token', { what: 'No active run has this token.' });
}

/** The person whose socket this is. */
function personHere(): Caller {
  return { kind: 'person', name: process.env['USER'] || 'person' };
}

function asker(caller: Caller | undefined): string {
  return caller ? ` by ${inert(caller.name).slice(0, 100)}` : '';
}

async function statusOf(service: Answering) {
  const { maxAgents, pollMs, paused, ticks, lastTick, missing } = service.coordinator.facts();
  const agents = service.coordinator.agents();
  const count = (states: readonly string[]) => agents.filter(({ status }) => states.includes(status)).length;
  const { executor, model } = service.inForce();
  return {
    pid: process.pid,
    started_at: timestamp(service.startedAt),
    agents: { alive: service.coordinator.facts().alive, idle: count(['parked']), total: agents.length },
    coordinator: {
      paused,
      max_agents: maxAgents,
      poll_interval: Math.round(pollMs / 1_000),
      executor,
      model: model ?? null,
      ticks,
      last_tick: lastTick === undefined ? null : timestamp(lastTick),
      tasks_ready: await service.tasksReady(),
      ...(missing === undefined ? {} : { executor_missing: missing }),
    },
  };
}
