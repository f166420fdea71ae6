import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export const TOKEN = 'syt_dHJvdXBl_notarealtoken';
export const ROOM = '!work/room:example.org';

interface Event {
  readonly event_id: string;
  readonly type: string;
  readonly sender: string;
  readonly content: unknown;
}

/** A Matrix homeserver on loopback with the two calls that a room needs: sending with a transaction id, and syncing. */
export async function homeserver(
  answer?: (path: string) => { status: number; text: string; headers?: Record<string, string> } | 'silence' | undefined,
) {
  const timeline: Event[] = [];
  const transactions = new Map<string, string>();
  const asked: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    asked.push(`${request.method} ${request.url}`);
    headers.push(request.headers);
    const reply = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const special = answer?.(url.pathname);
    if (special === 'silence') return;
    if (special) return void response.writeHead(special.status, special.headers).end(special.text);
    if (request.headers.authorization !== `Bearer ${TOKEN}`) {
      return reply(401, { errcode: 'M_UNKNOWN_TOKEN', error: `Unknown ${request.headers.authorization}` });
    }
    const send = /^\/_matrix\/client\/v3\/rooms\/([^/]+)\/send\/m\.room\.message\/([^/]+)$/.exec(url.pathname);
    if (request.method === 'PUT' && send) {
      const [, room = '', transaction = ''] = send.map(decodeURIComponent);
      if (room !== ROOM) return reply(403, { errcode: 'M_FORBIDDEN', error: 'You are not in that room' });
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const known = transactions.get(transaction);
        const event_id = known ?? say('@troupe:example.org', JSON.parse(Buffer.concat(parts).toString('utf8')));
        transactions.set(transaction, event_id);
        reply(200, { event_id });
      });
      return;
    }
    if (request.method === 'GET' && url.pathname === '/_matrix/client/v3/sync') {
      const since = Number(url.searchParams.get('since')?.slice(1) ?? 0);
      const events = timeline.slice(since);
      const join = events.length > 0 ? { [ROOM]: { timeline: { events, limited: false } } } : {};
      return reply(200, { next_batch: `s${timeline.length}`, rooms: { join } });
    }
    reply(404, { errcode: 'M_UNRECOGNIZED' });
  });
  /** Adds an event of a member to the room. */
  function say(sender: string, content: unknown, type = 'm.room.message'): string {
    const event_id = `$event-${timeline.length}`;
    timeline.push({ event_id, type, sender, content });
    return event_id;
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, timeline, asked, headers, say };
}
