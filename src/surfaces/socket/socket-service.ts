import { statSync } from 'node:fs';
import type { OperationRequest, Service, ServiceReply, ServiceRequest } from '#ports/service.js';
import type { Asker } from './client.js';

/** Loaded where a service is there. */
const client = () => import('./client.js');

/** The service that listens at a socket of this machine. */
export class SocketService implements Service {
  private readonly socket: string;
  private readonly asker: () => Promise<Asker>;

  constructor(socket: string, asker: () => Promise<Asker>) {
    this.socket = socket;
    this.asker = asker;
  }

  async ask(request: ServiceRequest | OperationRequest): Promise<ServiceReply> {
    if (this.look() === undefined) return { state: 'absent' };
    const { askService } = await client();
    return await askService(this.socket, request, await this.asker());
  }

  async up(): Promise<{ readonly pid: number } | undefined> {
    const reply = await this.askAsAnybody('status');
    return reply.state === 'answered' ? (reply.result as { pid: number }) : undefined;
  }

  async notify(): Promise<boolean> {
    return (await this.askAsAnybody('graph_changed')).state === 'answered';
  }

  /** A socket that a dead service left does not count. */
  watch(): () => boolean {
    const before = this.look();
    return () => {
      const present = this.look();
      return present !== undefined && (present.ino !== before?.ino || present.ctimeMs !== before.ctimeMs);
    };
  }

  private look() {
    return statSync(this.socket, { throwIfNoEntry: false });
  }

  private async askAsAnybody(cmd: 'status' | 'graph_changed'): Promise<ServiceReply> {
    if (this.look() === undefined) return { state: 'absent' };
    const { ANYBODY, askService } = await client();
    return await askService(this.socket, { cmd }, ANYBODY);
  }
}
