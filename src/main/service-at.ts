import { constants, existsSync, openSync } from 'node:fs';
import path from 'node:path';
import { callerFrom } from '#adapters/processes/caller-from.js';
import { readText } from '#adapters/store/files/disk.js';
import { parseJsonObject } from '#kernel/json.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { runtimeFolder } from '#main/places.js';
import type { Project } from '#ports/project.js';
import type { Service } from '#ports/service.js';
import { SocketService } from '#surfaces/socket/socket-service.js';

/**
 * Client for the service that leads a project: the one on this machine, else, for a project in a database, the leader
 * on another machine. With `first: false`, another machine is asked only from the second request on, after it turned
 * out to hold the graph.
 */
export function leadingService(project: Project, { first } = { first: true }): Service {
  const here = serviceAt(project);
  const { store } = project;
  if (store.kind === 'files') return here;
  const far = async () => (await import('#main/remote-requests.js')).remoteService(project, store.name);
  let asked = first;
  return {
    ask: async (request) => {
      const reply = await here.ask(request);
      const [isHere, isFirst] = [reply.state !== 'absent', !asked];
      asked = true;
      return isHere || isFirst ? reply : (await far()).ask(request);
    },
    up: async () => (await here.up()) ?? (await far()).up(),
    notify: () => here.notify(),
    watch: () => () => true, // there may be a leader at any time: a caller refused because of it asks it
  };
}

/** Client for the project's service on this machine; this process is the caller. */
export function serviceAt(project: Project): Service {
  return new SocketService(
    () => socketOf(project),
    async (request) => {
      const { reader, thisProcess } = await import('#main/asker.js');
      const caller = callerFrom(process.env);
      const isRead = request.cmd === 'operation' && request.request_id === undefined;
      return isRead && caller.kind === 'person' ? reader(caller) : thisProcess(caller);
    },
  );
}

/**
 * Socket of the project's service. If its path in the project is too long, it lies in the person's runtime folder,
 * which runs do not know: then the path recorded by the service is used, provided that its name matches this project.
 */
function socketOf(project: Project): string {
  const run = process.env['WG_RUN'] ?? '';
  if (path.dirname(run) === project.layout.workerRuns) return doorOf(run);
  const socket = socketPath(project, runtimeFolder(process.env));
  const { layout } = project;
  if (socket === layout.socket) return socket;
  const told = parseJsonObject(readText(layout.state) ?? '')?.['socket_path'];
  const name = socket.split(path.sep).slice(-2).join(path.sep);
  return typeof told === 'string' && told.endsWith(path.sep + name) ? told : socket;
}

/** Socket on which a worker listens for a run, sandboxed or not. */
function doorOf(run: string): string {
  const folder = path.join(run, 'service');
  const door = path.join(folder, 'daemon.sock');
  if (Buffer.byteLength(door) <= WORK_LIMITS.socketPathBytes || process.platform !== 'linux' || !existsSync(folder))
    return door;
  // Opened by the folder's descriptor, as on the listening side. The descriptor stays open: this process connects only
  // a few times.
  doors.set(run, doors.get(run) ?? openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY));
  return `/proc/self/fd/${doors.get(run)}/daemon.sock`;
}

const doors = new Map<string, number>();

/**
 * Socket path of a project's service: in the project folder, or in a private runtime folder if that path is too long.
 */
export function socketPath(project: Project, runtimeFolder: string): string {
  const near = project.layout.socket;
  if (Buffer.byteLength(near) <= WORK_LIMITS.socketPathBytes) return near;
  return path.join(runtimePlace(project, runtimeFolder), path.basename(near));
}

/** Folder of a project within the private runtime folder, where cleaning its work tree cannot remove it. */
export function runtimePlace({ id }: Project, runtimeFolder: string): string {
  return path.join(runtimeFolder, `troupe-${id.slice(0, 16)}`);
}
