import {
  type AliasRequest,
  OPERATION_REQUESTS,
  SERVICE_REQUESTS,
  type ServiceRequest,
} from '#core/coordinator/service-requests.js';
import type { CoordinatorState } from '#core/coordinator/session-states.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import type { JsonObject } from '#kernel/json.js';
import { inert } from '#kernel/text.js';
import { type StatusParts, serviceStatusOf } from '#main/service-status.js';
import { refuseBeyondRights } from '#operations/call.js';
import { authenticateRun } from '#operations/calls-of-runs.js';
import { decisionRows, tickRows } from '#operations/coordinator/decision-rows.js';
import type { Act } from '#operations/declaration.js';
import { specOf } from '#operations/named.js';
import { onItsMachineOnly } from '#operations/on-its-machine.js';
import { onlyLooks } from '#operations/operation-spec.js';
import type { ModelBudget } from '#operations/settings/budget.js';
import type { Caller, Callers, RequestCaller } from '#ports/callers.js';
import type { RemoteRequest } from '#ports/remote-requests.js';
import type { RunFolders } from '#ports/run-folders.js';
import type { OperationRequest } from '#ports/service.js';
import type { IntroductionRequest, SocketRequest } from '#surfaces/socket/protocol.js';
import { socketRequest } from '#surfaces/socket/requests.js';
import { answerTo } from '#surfaces/socket/server.js';

/** Parts of a service needed to answer requests. */
export interface Answering extends StatusParts {
  readonly note: (text: string) => void;
  readonly models: ModelBudget;
  readonly askers: Callers;
  call(name: string, input: unknown, caller: Caller, requestId?: string): Promise<unknown>;
  runs(): Promise<RunFolders>;
  dashboardLink(caller: Caller): Promise<string>;
  logOut(): Promise<void>;
  /** Reloads settings that a command changed without the service. */
  settingsMayHaveChanged(): Promise<void>;
}

/** Requests that are too frequent or trivial for the log. */
const UNLOGGED_COMMANDS: ReadonlySet<string> = new Set(['graph_changed', 'status', 'agents', 'heartbeat']);

/**
 * Returns a handler for the lines of one connection. An introduction identifies the caller of the request that follows
 * it.
 */
export function conversationWith(service: Answering): (line: JsonObject, text: string) => Promise<unknown> {
  const connection = service.askers.connect();
  return async (line, text) => {
    const request = socketRequest(line);
    if (request.cmd === 'identify') return { introduced: connection.introduce(request, text) };
    return await answer(service, request, connection.request(text, request));
  };
}

/** Answers one line on the socket of a run. */
export async function answerAsRun(service: Answering, run: string, line: JsonObject): Promise<unknown> {
  const request = socketRequest(line);
  if (request.cmd === 'identify') return { introduced: false };
  const atDoor = () => service.askers.atDoor(run, request);
  return await answer(service, request, { claimed: atDoor, proven: atDoor });
}

/** Answers one line from another machine, which has authenticated the caller. */
export async function answerFromAfar(service: Answering, { line, caller }: RemoteRequest): Promise<string> {
  const from = async () => caller;
  const reply = await answerTo(line, async (fields) => {
    const request = socketRequest(fields);
    if (request.cmd === 'identify') return { introduced: false };
    if (request.cmd === 'dashboard')
      throw new TroupeError('project_elsewhere', {
        what: 'The dashboard is served on the machine that leads the project, for that machine.',
        hint: 'Run `troupe dashboard` there.',
      });
    refuseFromAfar(request);
    return await answer(service, request, { claimed: from, proven: from });
  });
  return JSON.stringify(reply);
}

function refuseFromAfar(request: ServiceRequest | OperationRequest): void {
  const spec = request.cmd === 'operation' ? specOf(request.name) : undefined;
  if (spec?.personal) throw onItsMachineOnly(spec);
  if (!spec?.trusts) return;
  throw new TroupeError('not_yours', {
    what: 'What a machine trusts is said on that machine: nothing was changed.',
    hint: `Run \`troupe ${spec.command}\` where the service runs.`,
  });
}

async function answer(
  service: Answering,
  request: Exclude<SocketRequest, IntroductionRequest>,
  who: RequestCaller,
): Promise<unknown> {
  if (request.cmd === 'operation') return await operate(service, request, who);
  const caller = await resolveRequestCaller(service, request, who);
  if (!UNLOGGED_COMMANDS.has(request.cmd)) service.note(`request ${request.cmd} by ${printed(caller)}`);
  return await answerRequest(service, request, caller);
}

/**
 * Caller of a request. A run must prove its identity, may not do what is reserved for persons, and may not send
 * heartbeats of other runs.
 */
async function resolveRequestCaller(service: Answering, request: ServiceRequest, who: RequestCaller): Promise<Caller> {
  const act = actOf(request.cmd);
  if (act.kind === 'read') return await who.claimed();
  const caller = await who.proven();
  refuseBeyondRights(act, caller);
  if (caller.kind !== 'run') return caller;
  if (request.cmd === 'heartbeat' && request.agent_id !== caller.name) {
    throw new TroupeError('not_yours', {
      what: `A run may not send the heartbeat of another.`,
      details: { run: caller.name },
    });
  }
  await authenticateRun(await service.runs(), caller);
  return caller;
}

async function answerRequest(service: Answering, request: ServiceRequest, caller: Caller): Promise<unknown> {
  const { coordinator } = service;
  switch (request.cmd) {
    case 'graph_changed':
      await service.settingsMayHaveChanged();
      coordinator.triggerByChange();
      return { action: 'coordinator_wake_scheduled' };
    case 'tick':
      if (request.dry_run === true) return { decisions: decisionRows(await coordinator.preview()) };
      return { ...tickRows(await coordinator.tickThrough()), ...(await serviceStatusOf(service)) };
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
      return { address: await service.dashboardLink(caller) };
    default:
      return await service.call(OPERATION_REQUESTS[request.cmd], operationInput(request), caller);
  }
}

/** Permissions of a request; a request for an operation has those of the operation. */
function actOf(cmd: ServiceRequest['cmd']): Act {
  return isAlias(cmd) ? specOf(OPERATION_REQUESTS[cmd]) : SERVICE_REQUESTS[cmd];
}

function isAlias(cmd: ServiceRequest['cmd']): cmd is AliasRequest['cmd'] {
  return cmd in OPERATION_REQUESTS;
}

const STATES: Readonly<Partial<Record<AliasRequest['cmd'], CoordinatorState>>> = {
  stop_coordinator: 'stopped',
  archive_coordinator: 'archived',
  delete_coordinator: 'deleted',
  pause_coordinator: 'paused',
  resume_coordinator: 'running',
};

/** Input of the operation that a request of the original protocol asks for. */
function operationInput(request: AliasRequest): object {
  const { cmd, run_token: _token, run: _run, run_fence: _fence, caller: _caller, ...fields } = request;
  if (cmd === 'spawn') {
    const { task_id: id, ...rest } = fields;
    return { ...rest, id };
  }
  if (cmd === 'kill') {
    const { agent_id: id, pid, ...rest } = fields;
    return { ...rest, run: String(id ?? pid ?? '') };
  }
  const { id, ...rest } = fields;
  if (cmd === 'user_chat') return id === undefined ? rest : { ...rest, coordinator: id };
  const state = STATES[cmd];
  return state === undefined ? fields : { ...fields, state };
}

async function operate(
  service: Answering,
  request: Extract<SocketRequest, { cmd: 'operation' }>,
  who: RequestCaller,
): Promise<unknown> {
  const spec = specOf(request.name);
  if (spec.where === 'caller')
    throw new TroupeError('bad_input', { what: `${request.name} does not run in the service.` });
  const caller = await (onlyLooks(spec, request.input) ? who.claimed() : who.proven());
  if (spec.kind === 'write') service.note(`request ${spec.name} by ${printed(caller)}`);
  return await service.call(request.name, request.input, caller, request.request_id);
}

/** Name of a caller for the log. */
export function printed({ name }: Caller): string {
  return inert(name).slice(0, 100);
}
