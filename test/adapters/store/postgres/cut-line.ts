import { connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { room } from '../../../room.js';

/** Bytes of a simple query that commits. */
const COMMIT = Buffer.from('COMMIT\0');

/** `before`: the request never reaches the server; `after`: its response never comes back. */
export type Cut = 'before' | 'after';

/** A proxy to a server on a unix socket that breaks when a commit passes. */
export class CutLine {
  /** Address of the server through this proxy. */
  readonly address: string;
  private readonly sockets = new Set<Socket>();
  private cut: Cut | undefined;
  private isDown = false;

  private constructor(address: string) {
    this.address = address;
  }

  static async to(address: string): Promise<CutLine> {
    const url = new URL(address);
    const target = path.join(url.searchParams.get('host') ?? '', '.s.PGSQL.5432');
    const folder = room('line');
    url.searchParams.set('host', folder);
    const server = createServer((near) => line.join(near, connect(target)));
    const line = new CutLine(url.href);
    await new Promise<void>((resolve) => server.listen(path.join(folder, '.s.PGSQL.5432'), resolve));
    onTestFinished(() => {
      line.down();
      server.close();
    });
    return line;
  }

  /** Breaks at the next commit; with `forGood`, further connections are refused. */
  breakAtCommit(cut: Cut, forGood = false): void {
    this.cut = cut;
    this.isDown = forGood;
  }

  /** Accepts connections again. */
  mend(): void {
    this.isDown = false;
  }

  private down(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private join(near: Socket, far: Socket): void {
    for (const socket of [near, far]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.sockets.delete(socket);
        near.destroy();
        if (socket === far) return;
        far.end();
      });
    }
    if (this.isDown && this.cut === undefined) near.destroy();
    let isBroken = false;
    near.on('data', (data) => {
      const { cut } = this;
      if (cut === undefined || !data.includes(COMMIT)) {
        far.write(data);
        return;
      }
      this.cut = undefined;
      isBroken = true;
      if (cut === 'after') far.write(data);
      else near.destroy();
    });
    far.on('data', (data) => {
      if (isBroken)
        near.destroy(); // this is the response to the commit: it is done
      else near.write(data);
    });
  }
}
