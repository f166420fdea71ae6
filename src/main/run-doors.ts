import { spawn } from 'node:child_process';
import { closeSync, constants, mkdirSync, openSync, rmdirSync } from 'node:fs';
import path from 'node:path';
import { PRIVATE_FOLDER } from '#kernel/file-modes.js';
import type { JsonObject } from '#kernel/json.js';
import { PLACES } from '#main/places.js';
import { projectFolderOf } from '#main/project.js';
import type { Project } from '#ports/project.js';
import type { RunDoors } from '#ports/run-doors.js';
import { type SocketServer, startSocket } from '#surfaces/socket/server.js';

/** An open socket of a run: the server, and the descriptor of its folder. */
interface Door {
  readonly server: SocketServer;
  readonly folder: number;
}

/**
 * One socket per run, which identifies the run that connects. Linux only: elsewhere one folder cannot be mounted in
 * place of another, and runs use the service's own socket.
 */
export class ServiceDoors implements RunDoors {
  readonly of: RunDoors['of'];
  private readonly agentsFolder: string;
  private readonly answer: (run: string, line: JsonObject) => Promise<unknown>;
  private readonly doors = new Map<string, Promise<Door>>();

  constructor(
    agentsFolder: string,
    answer: (run: string, line: JsonObject) => Promise<unknown>,
    of: RunDoors['of'] = 'sandboxed',
  ) {
    this.of = of;
    this.agentsFolder = agentsFolder;
    this.answer = answer;
  }

  place(run: string): string {
    return path.join(this.agentsFolder, run, 'service');
  }

  async open(run: string): Promise<void> {
    if (process.platform !== 'linux') return;
    const door = this.doors.get(run) ?? this.listen(run);
    this.doors.set(run, door);
    await door;
  }

  async close(run: string): Promise<void> {
    const door = this.doors.get(run);
    if (door === undefined) return;
    this.doors.delete(run);
    await shut(await door);
    removeEmpty(this.place(run));
  }

  /** Listens under the folder's descriptor, because the path itself may exceed the length limit of a socket address. */
  private async listen(run: string): Promise<Door> {
    mkdirSync(this.place(run), { recursive: true, mode: PRIVATE_FOLDER });
    const folder = openSync(this.place(run), constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    const socket = `/proc/self/fd/${folder}/daemon.sock`;
    const server = await startSocket(socket, () => (line) => this.answer(run, line), { ownFolder: false });
    return { server, folder };
  }

  /**
   * Closes all sockets while their runs continue; clients retry until another process listens there. Returns the number
   * of runs.
   */
  async releaseDoors(): Promise<number> {
    const left = [...this.doors.values()];
    this.doors.clear();
    for (const door of left) await shut(await door);
    return left.length;
  }
}

async function shut({ server, folder }: Door): Promise<void> {
  await server.close();
  closeSync(folder);
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!['ENOTEMPTY', 'ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Starts a detached process that answers sandboxed runs while no service is up. */
export function leaveKeeper(project: Project): void {
  const projectFolder = projectFolderOf(project);
  const keeper = spawn(process.execPath, [PLACES.run, '--doors', projectFolder], {
    cwd: projectFolder,
    detached: true,
    stdio: 'ignore',
  });
  keeper.on('error', () => undefined); // runs then wait for the next service
  keeper.unref();
}
