import { createConnection } from 'node:net';
import { errorFromJson, TroupeError } from '#kernel/errors.js';
import { type JsonObject, parseJsonObject } from '#kernel/json.js';
import { LIMITS } from '#kernel/limits.js';
import { requestLine, type SocketRequest } from './protocol.js';

/** What came of a question to the service: an answer, nobody there, or a connection that broke before the answer. */
export type ServiceReply =
  | { readonly state: 'answered'; readonly result: unknown }
  | { readonly state: 'absent' | 'broken' };

/**
 * Asks the service one question. Errors it answers with are thrown as they are. What is asked may take long: every `patienceMs`
 * it is looked whether the service still answers at all; one that does not (stopped, hung) is `service_silent`.
 */
export async function askService(
  socket: string,
  request: SocketRequest,
  patienceMs: number = LIMITS.serviceSilentMs,
): Promise<ServiceReply> {
  const line = requestLine(request);
  return new Promise((resolve, reject) => {
    let received = '';
    let requestSent = false;
    const connection = createConnection(socket);
    const watch = setInterval(() => {
      const sign = request.cmd === 'status' ? silent() : askService(socket, { cmd: 'status' }, patienceMs);
      sign.catch((error) => {
        over();
        connection.destroy();
        reject(error);
      });
    }, patienceMs);
    const over = () => clearInterval(watch);
    connection.setEncoding('utf8');
    connection.on('connect', () => {
      requestSent = true;
      connection.write(line);
    });
    connection.on('data', (chunk: string) => {
      received += chunk;
      const end = received.indexOf('\n');
      if (end === -1) return;
      over();
      connection.end();
      const answer = parseJsonObject(received.slice(0, end));
      if (answer?.['ok'] === true) resolve({ state: 'answered', result: resultOf(answer) });
      else if (answer) reject(errorFromJson(answer['error']));
      else reject(new TroupeError('socket_in_use', { what: `${socket} is answered by another program.` }));
    });
    const disconnect = () => {
      over();
      resolve({ state: requestSent ? 'broken' : 'absent' });
    };
    connection.on('error', disconnect);
    connection.on('close', disconnect);
  });
}

async function silent(): Promise<never> {
  throw new TroupeError('service_silent');
}

function resultOf({ ok: _, ...fields }: JsonObject): unknown {
  return Object.hasOwn(fields, 'result') ? fields['result'] : fields;
}
