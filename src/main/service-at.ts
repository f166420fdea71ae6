import { callerFrom, runtimeFolder } from '#main/places.js';
import type { Service } from '#ports/service.js';
import { socketPath } from '#surfaces/socket/protocol.js';
import { SocketService } from '#surfaces/socket/socket-service.js';

/** The service of a project, asked as the process that this is. */
export function serviceAt(projectFolder: string): Service {
  const socket = socketPath(projectFolder, runtimeFolder(process.env));
  return new SocketService(socket, async () => {
    const { thisProcess } = await import('#main/asker.js');
    return thisProcess(callerFrom(process.env));
  });
}
