import { chmodSync, lstatSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { asTroupeError, TroupeError } from '#kernel/errors.js';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '#kernel/file-modes.js';
import { isJsonObject, type JsonObject, parseJsonObject } from '#kernel/json.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { inert } from '#kernel/text.js';
import { ANONYMOUS_ASKER, askService } from './client.js';
import { lineTooLong, type SocketAnswer } from './protocol.js';

const LINE_FEED = 10;

export interface SocketServer {
  close(): Promise<void>;
}

/** Answers a request; `line` is its text. */
export type AnswerRequest = (request: JsonObject, line: string) => Promise<unknown>;

/**
 * Serves JSON lines on a unix socket that only its owner can reach; `begin` is called for each connection. Lines of a
 * connection are answered one at a time and in order, so that sending more gains no priority. A line that is not a
 * request gets an error and the connection stays open; one that is too long gets an error and the connection is closed.
 * Removes its own folder on close; the folder must exist.
 */
export async function startSocket(
  file: string,
  begin: () => AnswerRequest,
  { ownFolder }: { readonly ownFolder: boolean },
): Promise<SocketServer> {
  chmodSync(path.dirname(file), PRIVATE_FOLDER);
  const open = new Set<Socket>();
  const server = createServer((connection) => {
    open.add(connection);
    connection.on('close', () => open.delete(connection));
    serve(connection, begin());
  });
  // Created under a temporary name first: closing removes the socket by the name under which it was created, and by
  // then the socket of another service may be at `file`. This process holds the write lock, so a file that is there now
  // was left by a dead service.
  const first = path.join(path.dirname(file), `.${process.pid.toString(36)}`);
  rmSync(first, { force: true });
  await listen(server, first);
  chmodSync(first, PRIVATE_FILE);
  const own = lstatSync(first).ino;
  renameSync(first, file);
  return {
    close: () =>
      new Promise((resolve) => {
        // Destroyed after the last answer: a client that never closes its end would keep the server open.
        for (const connection of open) connection.end(() => connection.destroy());
        server.close(() => resolve());
        if (lstatSync(file, { throwIfNoEntry: false })?.ino === own) rmSync(file, { force: true });
        if (ownFolder) removeIfEmpty(path.dirname(file));
      }),
  };
}

/** Removes the runtime folder that belongs to the socket; the folder of a project contains other files and stays. */
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

function serve(connection: Socket, answer: AnswerRequest): void {
  let pieces: Buffer[] = [];
  let bytes = 0;
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  const tell = (reply: SocketAnswer) => {
    if (connection.writable) connection.write(`${JSON.stringify(reply)}\n`);
  };
  const take = (piece: Buffer): boolean => {
    bytes += piece.length;
    if (piece.length > 0) pieces.push(piece);
    return bytes <= WORK_LIMITS.socketLineBytes;
  };
  const hangUp = () => {
    connection.removeAllListeners('data').resume(); // input is discarded, so the sender can read the error
    let over = false;
    const sendTooLong = () => {
      if (!over) tell(failure(lineTooLong()));
      over = true;
      connection.end();
    };
    last.then(sendTooLong);
    setTimeout(() => {
      sendTooLong(); // in case an earlier answer takes too long
      connection.destroySoon();
    }, WORK_LIMITS.socketHangUpMs).unref();
  };
  /** Answers a line after the earlier lines of this connection, then gives other connections a turn. */
  const answerInOrder = async (before: Promise<void>, line: string) => {
    await before;
    tell(await answerTo(line, answer));
    if (--waiting > 0) await othersTurn();
    else connection.resume();
  };
  connection.on('error', () => connection.destroy()); // a client that disconnects affects only its own connection
  connection.on('data', (chunk: Buffer) => {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      if (!take(chunk.subarray(from, end))) return hangUp();
      last = answerInOrder(last, Buffer.concat(pieces).toString('utf8'));
      [pieces, bytes, from] = [[], 0, end + 1];
      if (++waiting > WORK_LIMITS.socketLinesWaiting) connection.pause();
    }
    if (!take(chunk.subarray(from))) hangUp();
  });
}

/** Answers one line, even if it is not a request. */
export async function answerTo(line: string, answer: AnswerRequest): Promise<SocketAnswer> {
  const request = parseJsonObject(line);
  if (!request) return failure(new TroupeError('bad_input', { what: 'The line is not a JSON object.' }));
  try {
    const result = await answer(request, line);
    // The answer of an operation may be any value, and may have a field `ok` of its own.
    if (request['cmd'] === 'operation' || !isJsonObject(result)) return { ok: true, result };
    return { ok: true, ...result };
  } catch (error) {
    return failure(error);
  }
}

function failure(error: unknown): SocketAnswer {
  const failure = asTroupeError(error);
  return { ok: false, error: failure.toJSON() };
}

const OTHERS = 0o077;

/**
 * Rejects a path for a socket unless only its owner can reach it and no process listens there: `bad_input` for a path
 * that is too long, `unsafe_path` for a folder that others may enter or for another file at this path, `socket_in_use`.
 * Its folder must exist.
 */
export async function assertPrivateSocketPath(file: string): Promise<void> {
  const printable = inert(file);
  if (Buffer.byteLength(file) > WORK_LIMITS.socketPathBytes) {
    throw new TroupeError('bad_input', {
      what: `${printable} is longer than the ${WORK_LIMITS.socketPathBytes} bytes allowed for a socket path.`,
      hint: 'Use a shorter one with --socket.',
    });
  }
  const folder = path.dirname(file);
  const place = lstatSync(folder);
  if (!place.isDirectory() || place.uid !== process.getuid?.() || (place.mode & OTHERS) !== 0) {
    throw new TroupeError('unsafe_path', {
      what: `${inert(folder)} is not a folder that only you can access.`,
      hint: 'Use a socket in your own folder, created with `mkdir -m 700`.',
      details: { path: folder },
    });
  }
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isSocket()) {
    throw new TroupeError('unsafe_path', {
      what: `${printable} exists and is not a socket: nothing was changed.`,
      hint: 'Move it away, or use another path with --socket.',
      details: { path: file },
    });
  }
  const answer = await askService(file, { cmd: 'status' }, ANONYMOUS_ASKER).catch(() => ({ state: 'answered' }));
  if (answer.state !== 'absent') throw new TroupeError('socket_in_use', { what: `${printable} is already in use.` });
}
