import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** One message of the PostgreSQL protocol. */
export function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}

/** An error of the server with this SQLSTATE. */
export const errorMessage = (severity: string, code: string) =>
  message('E', Buffer.from(`S${severity}\0V${severity}\0C${code}\0Mrefused\0\0`));

/** Starts a server that speaks the protocol as `talk` says; returns its port. */
export async function fakeServer(talk: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined); // a client may leave at any time
    talk(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
