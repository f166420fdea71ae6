import { spawn } from 'node:child_process';
import { mkdirSync, rmdirSync } from 'node:fs';
import path from 'node:path';
import type { JsonObject } from '#kernel/json.js';
import { PLACES } from '#main/places.js';
import type { RunDoors } from '#ports/run-doors.js';
import { runDoor } from '#surfaces/socket/protocol.js';
import { type SocketServer, startSocket } from '#surfaces/socket/server.js';

/** A socket for each run in a sandbox: who asks there is known by the socket. */
export class ServiceDoors implements RunDoors {
  private readonly socketOf: (run: string) => string;
  private readonly answer: (run: string, line: JsonObject) => Promise<unknown>;
  private readonly sockets = new Map<string, Promise<SocketServer>>();

  constructor(
    places: { readonly projectFolder: string; readonly runtimeFolder: string },
    answer: (run: string, line: JsonObject) => Promise<unknown>,
  ) {
    this.socketOf = (run) => runDoor(places.projectFolder, places.runtimeFolder, run);
    this.answer = answer;
  }

  place(run: string): string {
    return path.dirname(this.socketOf(run));
  }

  async open(run: string): Promise<void> {
    const socket = this.sockets.get(run) ?? this.listen(run);
    this.sockets.set(run, socket);
    await socket;
  }

  private listen(run: string): Promise<SocketServer> {
    mkdirSync(this.place(run), { recursive: true, mode: 0o700 });
    return startSocket(this.socketOf(run), () => (line) => this.answer(run, line), { ownFolder: false });
  }

  async close(run: string): Promise<void> {
    const socket = this.sockets.get(run);
    if (socket === undefined) return;
    this.sockets.delete(run);
    await (await socket).close();
    removeEmpty(this.place(run));
  }

  /** Runs go on, and wait at their doors for whoever listens next. Answers how many there are. */
  async leave(): Promise<number> {
    const left = [...this.sockets.values()];
    this.sockets.clear();
    for (const socket of left) await (await socket).close();
    return left.length;
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!['ENOTEMPTY', 'ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Leaves runs in a sandbox somebody to talk to while no service is there. */
export function leaveKeeper(projectFolder: string): void {
  const keeper = spawn(process.execPath, [PLACES.run, '--doors', projectFolder], {
    cwd: projectFolder,
    detached: true,
    stdio: 'ignore',
  });
  keeper.on('error', () => undefined); // runs then wait for the next service
  keeper.unref();
}
