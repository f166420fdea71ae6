import { createConnection } from 'node:net';
import { TroupeError } from '#kernel/errors.js';
import { parseJsonObject } from '#kernel/json.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { Credentials, ServiceReply } from '#ports/service.js';
import { requestLine, resultIn, type SocketRequest } from './protocol.js';
import { shortPathOf } from './short-path.js';

/** Identity of the process that sends requests to the service. */
export interface Asker {
  /** Proof of the run that this process belongs to, if any. */
  readonly proof: Credentials;
  /**
   * Returns the line that identifies this process, to be sent before `request`, and a callback for the time after the
   * answer; undefined if the process need not be identified.
   */
  introduce(request: string): Promise<{ readonly line: string; over(): void } | undefined>;
}

/** Identity for requests whose answer does not depend on the caller. */
export const ANONYMOUS_ASKER: Asker = { proof: {}, introduce: async () => undefined };

/**
 * Sends one request to the service and returns its answer; an error in the answer is thrown unchanged. A request may
 * take long: every `patienceMs` a second connection checks that the service still answers. `signal` gives it up: then the
 * reply is `broken` or `absent`. Errors: `service_silent` if the service does not answer (stopped, hung),
 * `socket_in_use` if another program answers.
 */
export async function askService(
  socket: string,
  request: SocketRequest,
  asker: Asker,
  patienceMs: number = WORK_LIMITS.serviceSilentMs,
  signal?: AbortSignal,
): Promise<ServiceReply> {
  const line = requestLine({ ...request, ...asker.proof });
  const introduction = await asker.introduce(line);
  try {
    return await exchange(socket, { line, introduction, asksStatus: request.cmd === 'status', patienceMs, signal });
  } finally {
    introduction?.over();
  }
}

interface Exchange {
  readonly line: string;
  readonly introduction: Awaited<ReturnType<Asker['introduce']>>;
  readonly asksStatus: boolean;
  readonly patienceMs: number;
  readonly signal: AbortSignal | undefined;
}

function exchange(
  socket: string,
  { line, introduction, asksStatus, patienceMs, signal }: Exchange,
): Promise<ServiceReply> {
  return new Promise((resolve, reject) => {
    let received = '';
    let requestSent = false;
    let introduced = introduction === undefined;
    const place = shortPathOf(socket);
    const connection = createConnection({ path: place.path, ...(signal === undefined ? {} : { signal }) });
    const watch = setInterval(() => {
      const sign = asksStatus ? silent() : askService(socket, { cmd: 'status' }, ANONYMOUS_ASKER, patienceMs);
      sign.catch((error) => {
        over();
        connection.destroy();
        reject(error);
      });
    }, patienceMs);
    const over = () => clearInterval(watch);
    const foreign = () => {
      over();
      connection.destroy();
      reject(new TroupeError('socket_in_use', { what: `${socket} is answered by another program.` }));
    };
    connection.setEncoding('utf8');
    connection.on('connect', () => {
      requestSent = true;
      connection.write(`${introduction?.line ?? ''}${line}`);
    });
    connection.on('data', (chunk: string) => {
      received += chunk;
      let end = received.indexOf('\n');
      if (end !== -1 && !introduced) {
        // The service has checked the introduction, and its answer may be any JSON object. Other programs answer
        // something else or nothing.
        introduced = true;
        introduction?.over();
        if (parseJsonObject(received.slice(0, end)) === undefined) return foreign();
        received = received.slice(end + 1);
        end = received.indexOf('\n');
      }
      if (end === -1) return;
      over();
      connection.end();
      const answer = parseJsonObject(received.slice(0, end));
      if (answer === undefined) return foreign();
      try {
        resolve({ state: 'answered', result: resultIn(answer) });
      } catch (error) {
        reject(error);
      }
    });
    const disconnect = () => {
      over();
      resolve({ state: requestSent ? 'broken' : 'absent' });
    };
    connection.on('error', disconnect);
    connection.on('close', () => {
      place.close();
      disconnect();
    });
  });
}

async function silent(): Promise<never> {
  throw new TroupeError('service_silent');
}
