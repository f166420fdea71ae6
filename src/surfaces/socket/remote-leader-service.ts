import type { ServiceRequest } from '#core/coordinator/service-requests.js';
import { isRefusal, TroupeError } from '#kernel/errors.js';
import { parseJsonObject } from '#kernel/json.js';
import { specOf } from '#operations/named.js';
import type { Caller } from '#ports/callers.js';
import type { RemoteAnswer, RemoteRequests } from '#ports/remote-requests.js';
import type { OperationRequest, Service, ServiceReply } from '#ports/service.js';
import { requestLine, resultIn } from './protocol.js';

/**
 * The service that leads the project from another machine. Each call opens the remote requests and closes them again.
 */
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

  /** Always false: a change made here means that no leader could be notified. */
  async notify(): Promise<boolean> {
    return false;
  }

  /** Always true: a leader may appear at any time, and a call that is rejected because of it is repeated there. */
  watch(): () => boolean {
    return () => true;
  }

  /**
   * Sends a request to the leader. An expected error counts as an absent leader, except `database_read_only` for a
   * request that only a service answers.
   */
  private async send(request: ServiceRequest | OperationRequest): Promise<RemoteAnswer> {
    const line = requestLine(request);
    const caller = await this.caller();
    try {
      const requests = await this.requests();
      try {
        return await requests.ask({ line, caller });
      } finally {
        // Not waited for: the server takes milliseconds to end a connection, and the answer is complete without it.
        requests.close().catch(() => undefined);
      }
    } catch (error) {
      // A read-only address cannot reach the leader. An operation is then tried here, as it may only read.
      const isTriedHere = request.cmd === 'operation' && specOf(request.name).where !== 'service';
      const isUnasked = isRefusal(error, 'database_read_only') && !isTriedHere;
      if (error instanceof TroupeError && !isUnasked) return { state: 'absent' };
      throw error;
    }
  }
}
