import { createConnection } from 'node:net';
import { errorFromJson, TroupeError } from '#kernel/errors.js';
import { parseJsonObject } from '#kernel/json.js';
import type { SocketRequest } from './protocol.js';

/** What came of a question to the service: an answer, nobody there, or a connection that broke before the answer. */
export type Asked = { readonly state: 'answered'; readonly result: unknown } | { readonly state: 'absent' | 'broken' };

/** Asks the service one question. Errors it answers with are thrown as they are. */
export function askService(socket: string, request: SocketRequest): Promise<Asked> {
  return new Promise((resolve, reject) => {
    let received = '';
    let sent = false;
    const connection = createConnection(socket);
    connection.setEncoding('utf8');
    connection.on('connect', () => {
      sent = true;
      connection.write(`${JSON.stringify(request)}\n`);
    });
    connection.on('data', (chunk: string) => {
      received += chunk;
      const end = received.indexOf('\n');
      if (end === -1) return;
      connection.end();
      const answer = parseJsonObject(received.slice(0, end));
      if (answer?.['ok'] === true) resolve({ state: 'answered', result: answer['result'] });
      else if (answer) reject(errorFromJson(answer['error']));
      else reject(new TroupeError('internal', { what: 'The service gave an answer that is no JSON.' }));
    });
    connection.on('error', () => resolve({ state: sent ? 'broken' : 'absent' }));
    connection.on('close', () => resolve({ state: sent ? 'broken' : 'absent' }));
  });
}
