import { isRefusal, TroupeError } from '#kernel/errors.js';
import { parseJsonObject } from '#kernel/json.js';
import type { Caller } from '#ports/callers.js';
import type { RemoteAnswer, RemoteRequests } from '#ports/remote-requests.js';
import type { OperationRequest, Service, ServiceReply, ServiceRequest } from '#ports/service.js';
import { resultIn } from './client.js';
import { requestLine } from './protocol.js';

/** The service that leads a project from another machine. Each call opens the requests and closes them again. */
export class RemoteLeaderService implements Service {
  private readonly requests: () => Promise<RemoteRequests>;
  private readonly caller: () => Promise<Caller>;

  constructor(requests: () => Promise<RemoteRequests>, caller: () => Promise<Caller>) {
    this.requests = requests;
    this.caller = caller;
  }

  async ask(request: ServiceRequest | OperationRequest): Promise<ServiceReply> {
    const answer = await this.send(request);
    if (answer.state !== 'answered') return answer;
    const fields = parseJsonObject(answer.line);
    if (fields === undefined) throw new TroupeError('internal', { what: 'The leader answered something else.' });
    return { state: 'answered', result: resultIn(fields) };
  }

  async up(): Promise<{ readonly pid: number } | undefined> {
    const reply = await this.ask({ cmd: 'status' });
    return reply.state === 'answered' ? (reply.result as { pid: number }) : undefined;
  }

  /** Without a leader there is no service to notify. */
  async notify(): Promise<boolean> {
    return false;
  }

  /** A leader may appear at any time: a call that is refused because of it is repeated there. */
  watch(): () => boolean {
    return () => true;
  }

  /** Sends a request to the leader. If it cannot be found out whether there is one, the caller gets the reason. */
  private async send(request: ServiceRequest | OperationRequest): Promise<RemoteAnswer> {
    const line = requestLine(request);
    const caller = await this.caller();
    try {
      const requests = await this.requests();
      try {
        return await requests.ask({ line, caller });
      } finally {
        await requests.close();
      }
    } catch (error) {
      // The leader cannot be asked from here; an operation that only reads is done without it.
      const isUnasked = isRefusal(error, 'database_read_only') && request.cmd !== 'operation';
      if (error instanceof TroupeError && !isUnasked) return { state: 'absent' };
      throw error;
    }
  }
}
