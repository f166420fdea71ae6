import path from 'node:path';
import { readText } from '#adapters/store/files/disk.js';
import { parseJsonObject } from '#kernel/json.js';
import { callerFrom, graphFolder, runtimeFolder } from '#main/places.js';
import type { Service } from '#ports/service.js';
import { socketPath } from '#surfaces/socket/protocol.js';
import { SocketService } from '#surfaces/socket/socket-service.js';

/** The service of a project, asked as the process that this is. */
export function serviceAt(projectFolder: string): Service {
  return new SocketService(
    () => socketOf(projectFolder),
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
function socketOf(projectFolder: string): string {
  const socket = socketPath(projectFolder, runtimeFolder(process.env));
  const service = path.join(graphFolder(projectFolder), 'service');
  if (socket.startsWith(service)) return socket;
  const told = parseJsonObject(readText(path.join(service, 'state.json')) ?? '')?.['socket_path'];
  const name = socket.split(path.sep).slice(-2).join(path.sep);
  return typeof told === 'string' && told.endsWith(path.sep + name) ? told : socket;
}
