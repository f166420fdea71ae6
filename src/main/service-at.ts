import { constants, existsSync, openSync } from 'node:fs';
import path from 'node:path';
import { callerFrom } from '#adapters/processes/caller-from.js';
import { readText } from '#adapters/store/files/disk.js';
import { parseJsonObject } from '#kernel/json.js';
import { LIMITS } from '#kernel/limits.js';
import { runtimeFolder } from '#main/places.js';
import type { Project } from '#ports/project.js';
import type { Service } from '#ports/service.js';
import { SocketService } from '#surfaces/socket/socket-service.js';

/**
 * Whoever leads a project, asked as the process that this is: the service of this machine, else the one of another where the project is in a
 * database. `first: false` asks another machine only from the second question on, once it turned out that it holds the graph.
 */
export function leadingService(project: Project, { first } = { first: true }): Service {
  const here = serviceAt(project);
  const { store } = project;
  if (store.kind === 'files') return here;
  const far = async () => (await import('#main/far-requests.js')).farService(project, store.name);
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
    watch: () => () => true, // one may lead at any time: whoever is refused because of that asks it
  };
}

/** The service of a project on this machine, asked as the process that this is. */
export function serviceAt(project: Project): Service {
  return new SocketService(
    () => socketOf(project),
    async () => {
      const { thisProcess } = await import('#main/asker.js');
      return thisProcess(callerFrom(process.env));
    },
  );
}

/**
 * A socket whose place in the project would be too long lies in the runtime folder of the person, which runs are not told: then the
 * place counts that the service wrote down, as long as it is named for this project.
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

/** At its door a worker listens for a run, whether it is in a sandbox or not. */
function doorOf(run: string): string {
  const folder = path.join(run, 'service');
  const door = path.join(folder, 'daemon.sock');
  if (Buffer.byteLength(door) <= LIMITS.socketPathBytes || process.platform !== 'linux' || !existsSync(folder))
    return door;
  // By the descriptor of its folder, as it is listened there: this process asks a few times, and keeps it.
  doors.set(run, doors.get(run) ?? openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY));
  return `/proc/self/fd/${doors.get(run)}/daemon.sock`;
}

const doors = new Map<string, number>();

/** Where the service of a project listens: in its folder, or in a private runtime folder when that path is too long. */
export function socketPath(project: Project, runtimeFolder: string): string {
  const near = project.layout.socket;
  if (Buffer.byteLength(near) <= LIMITS.socketPathBytes) return near;
  return path.join(runtimePlace(project, runtimeFolder), path.basename(near));
}

/** What of a project lies in the private runtime folder, where no cleaning of its work tree reaches. */
export function runtimePlace({ id }: Project, runtimeFolder: string): string {
  return path.join(runtimeFolder, `troupe-${id.slice(0, 16)}`);
}
