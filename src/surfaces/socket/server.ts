import { chmodSync, mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { knownError, TroupeError } from '#kernel/errors.js';
import { isJsonObject, type JsonObject, parseJsonObject } from '#kernel/json.js';
import { LIMITS } from '#kernel/limits.js';
import type { SocketAnswer } from './protocol.js';

export interface SocketServer {
  close(): Promise<void>;
}

/**
 * Serves JSON lines on a unix socket only its owner can reach. Answers come in the order of the questions; a line that
 * is no request gets an error and the connection stays; a line without end closes it. A folder of our own goes with it.
 */
export async function startSocket(
  file: string,
  answer: (request: JsonObject) => Promise<unknown>,
  { ownFolder }: { readonly ownFolder: boolean },
): Promise<SocketServer> {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  chmodSync(path.dirname(file), 0o700);
  rmSync(file, { force: true }); // we hold the write lock: whatever is there was left by a service that died
  const open = new Set<Socket>();
  const server = createServer((connection) => {
    open.add(connection);
    connection.on('close', () => open.delete(connection));
    serve(connection, answer);
  });
  await listen(server, file);
  chmodSync(file, 0o600);
  return {
    close: () =>
      new Promise((resolve) => {
        // Destroyed once all is said: somebody who never hangs up would keep us here.
        for (const connection of open) connection.end(() => connection.destroy());
        server.close(() => resolve());
        rmSync(file, { force: true });
        if (ownFolder) removeIfEmpty(path.dirname(file));
      }),
  };
}

/** A runtime folder of the socket's own goes with it; the project's holds other things and stays. */
function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!['ENOTEMPTY', 'ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

function listen(server: Server, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(file, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function serve(connection: Socket, answer: (request: JsonObject) => Promise<unknown>): void {
  let pending = '';
  let last: Promise<void> = Promise.resolve();
  connection.setEncoding('utf8');
  connection.on('error', () => connection.destroy()); // a client that went away takes nothing with it
  connection.on('data', (chunk: string) => {
    pending += chunk;
    for (let end = pending.indexOf('\n'); end !== -1; end = pending.indexOf('\n')) {
      const line = pending.slice(0, end);
      pending = pending.slice(end + 1);
      const reply = answerTo(line, answer);
      last = last.then(async () => {
        const text = `${JSON.stringify(await reply)}\n`;
        if (connection.writable) connection.write(text);
      });
    }
    if (pending.length > LIMITS.socketLineBytes) connection.destroy();
  });
}

async function answerTo(line: string, answer: (request: JsonObject) => Promise<unknown>): Promise<SocketAnswer> {
  const request = parseJsonObject(line);
  if (!request) return failure(new TroupeError('bad_input', { what: 'The line is not a JSON object.' }));
  try {
    const result = await answer(request);
    // What an operation answers may be anything, and may have an `ok` of its own.
    if (request['cmd'] === 'operation' || !isJsonObject(result)) return { ok: true, result };
    return { ok: true, ...result };
  } catch (error) {
    return failure(error);
  }
}

function failure(error: unknown): SocketAnswer {
  const known = knownError(error);
  return { ok: false, error: known.toJSON() };
}
