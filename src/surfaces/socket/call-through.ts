import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import type { RequestMark } from '#kernel/request.js';
import type { Service } from '#ports/service.js';
import type { WaitClock } from './listener.js';

/** A call of an operation that a service may answer. */
export interface ThroughCall<Answer> {
  readonly name: string;
  readonly input: unknown;
  /** A run changes the project only by asking whoever listens at its door: between two services nobody does. */
  readonly byRun: boolean;
  readonly request: RequestMark & Required<Pick<RequestMark, 'requestId'>>;
  /** Runs it in this process. `appeared` answers whether a service has begun to listen meanwhile. */
  here(request: RequestMark, appeared: () => boolean): Promise<Answer>;
}

/** Somebody else holds the graph for life, or this process may not write it. */
const GRAPH_HELD_CODES: ReadonlySet<string> = new Set(['locked', 'service_running', 'read_only']);

/**
 * Calls an operation in the service where one answers, else here. A service that comes meanwhile holds the graph for life, so it is
 * asked then, under the same request id: whoever is asked next can tell whether it was done.
 */
export async function callThrough<Answer>(
  service: Service,
  { name, input, byRun, here, request: first }: ThroughCall<Answer>,
  patience: WaitClock,
): Promise<Answer> {
  let request = first;
  let until = Number.POSITIVE_INFINITY;
  for (;;) {
    const appeared = service.watch();
    const reply = await service.ask({ cmd: 'operation', name, input, request_id: request.requestId });
    if (reply.state === 'answered') return reply.result as Answer; // the service has the same table
    if (reply.state === 'broken') request = { ...request, fresh: false };
    try {
      return await here(request, appeared);
    } catch (error) {
      if (!(error instanceof TroupeError)) throw error;
      until = Math.min(until, patience.now() + LIMITS.doorWaitMs);
      if (byRun && error.code === 'read_only') {
        const { waitForListener: untilListened } = await import('./listener.js'); // few commands are a run's
        await untilListened(appeared, until, patience);
      }
      const served = appeared() && GRAPH_HELD_CODES.has(error.code);
      if (!served || patience.now() >= until) throw error;
      request = { ...request, fresh: false };
    }
  }
}
