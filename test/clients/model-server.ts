import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Answer, answerFor, type Request } from './script.js';
import { chatCompletions, gemini, messages, responses } from './wires.js';

const BODY_MOST = 32 * 1024 * 1024;
const WIRES = [
  { path: /\/responses$/, wire: responses },
  { path: /\/chat\/completions$/, wire: chatCompletions },
  { path: /:streamGenerateContent$/, wire: gemini },
  { path: /\/messages$/, wire: messages },
] as const;

export interface ModelServer {
  readonly port: number;
  /** Paths of the answered requests. */
  readonly requests: readonly string[];
  /** Whole text of each request. */
  readonly texts: readonly string[];
  /** Names of the tools that each request offers, with their server if the client names it separately. */
  readonly offered: readonly (readonly string[])[];
  /**
   * Other hosts that clients tried to reach: the server is also the proxy of all clients, and refuses every connection.
   */
  readonly strays: readonly string[];
  close(): Promise<void>;
}

/** A model on loopback that does what the marker in the prompt says, in the protocols of three providers. */
export async function startModelServer(): Promise<ModelServer> {
  const requests: string[] = [];
  const offered: string[][] = [];
  const texts: string[] = [];
  const strays: string[] = [];
  const server = createServer((request, response) => {
    if (!request.url?.startsWith('/')) {
      strays.push(request.url ?? '');
      response.writeHead(403).end();
      return;
    }
    void answer(request, response, requests, offered, texts);
  });
  server.on('connect', (request, socket) => {
    strays.push(request.url ?? '');
    socket.on('error', () => socket.destroy()); // a client may hang up without waiting for the answer
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    offered,
    texts,
    strays,
    close: () => closed(server),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  requests: string[],
  offered: string[][],
  texts: string[],
): Promise<void> {
  const path = (request.url ?? '').split('?')[0] ?? '';
  const found = WIRES.find((candidate) => candidate.path.test(path));
  const body = await bodyOf(request);
  if (found === undefined || body === undefined) {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"nothing here"}}');
    return;
  }
  requests.push(path);
  const asked: Request = found.wire.read(body);
  texts.push(asked.text);
  offered.push(asked.tools.map(({ name, namespace }) => (namespace === undefined ? name : `${namespace}.${name}`)));
  const said: Answer = answerFor(asked);
  if (said.kind === 'hang') return;
  if (said.kind === 'status') {
    const error = { message: said.message, type: 'scripted', code: said.status, status: 'SCRIPTED' };
    response.writeHead(said.status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const line of found.wire.write(said, `m${requests.length}`)) response.write(line);
  response.end();
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown> | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of request) {
      parts.push(part as Buffer);
      length += (part as Buffer).length;
      if (length > BODY_MOST) return undefined;
    }
    return JSON.parse(Buffer.concat(parts).toString('utf8')) as Record<string, unknown>;
  } catch {
    return undefined; // not JSON, or the client was ended meanwhile
  }
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
