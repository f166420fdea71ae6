import { statSync } from 'node:fs';
import type { ServiceRequest } from '#core/coordinator/service-requests.js';
import type { OperationRequest, Service, ServiceReply } from '#ports/service.js';
import type { Asker } from './client.js';

/** Identity of this process for one request. */
type AskerOf = (request: ServiceRequest | OperationRequest) => Promise<Asker>;

/** The service that listens at a socket of this machine. */
export class SocketService implements Service {
  private readonly place: () => string;
  private readonly asker: AskerOf;

  /** `place` is called for each request: a service may begin to listen elsewhere. */
  constructor(place: () => string, asker: AskerOf) {
    this.place = place;
    this.asker = asker;
  }

  ask(request: ServiceRequest | OperationRequest): Promise<ServiceReply> {
    return this.send(request, true);
  }

  async up(): Promise<{ readonly pid: number } | undefined> {
    const reply = await this.send({ cmd: 'status' }, false);
    return reply.state === 'answered' ? (reply.result as { pid: number }) : undefined;
  }

  async notify(): Promise<boolean> {
    return (await this.send({ cmd: 'graph_changed' }, false)).state === 'answered';
  }

  /** Returns whether a service has begun to listen since. The socket of a dead service does not count. */
  watch(): () => boolean {
    const before = this.look();
    return () => {
      const present = this.look();
      return present !== undefined && (present.ino !== before?.ino || present.ctimeMs !== before.ctimeMs);
    };
  }

  private look() {
    return statSync(this.place(), { throwIfNoEntry: false });
  }

  /** `own`: as this process; otherwise anonymous, which needs no introduction. */
  private async send(request: ServiceRequest | OperationRequest, own: boolean): Promise<ServiceReply> {
    if (this.look() === undefined) return { state: 'absent' };
    const { ANONYMOUS_ASKER: ANYBODY, askService } = await import('./client.js');
    return await askService(this.place(), request, own ? await this.asker(request) : ANYBODY);
  }
}
