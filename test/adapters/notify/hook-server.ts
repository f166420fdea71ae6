import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { JsonObject } from '#kernel/json.js';

interface Call {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonObject;
}

/** What the server does with a call: a status, a redirect, or nothing. */
type Behaviour = number | { readonly location: string } | 'silence';

/** A receiver of webhooks on loopback. */
export async function hookServer(behave: () => Behaviour = () => 200) {
  const calls: Call[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method, url: path, headers } = request;
      calls.push({ method, path, headers, body: JSON.parse(Buffer.concat(parts).toString('utf8')) as JsonObject });
      const how = behave();
      if (how === 'silence') return;
      if (typeof how === 'number') response.writeHead(how).end('ok');
      else response.writeHead(307, how).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/services/T0/B0/the-secret-part`, calls, port };
}
