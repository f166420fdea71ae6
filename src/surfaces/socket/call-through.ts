import { TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { RequestMark } from '#kernel/request.js';
import type { Service } from '#ports/service.js';
import type { WaitClock } from './listener.js';

/** A call of an operation that a service may answer. */
export interface ThroughCall<Answer> {
  readonly name: string;
  readonly input: unknown;
  /**
   * Whether a run makes the call. Runs change the project only through a service, so without one they change nothing.
   */
  readonly byRun: boolean;
  /** Whether it only reads, and a claim of its caller suffices: then it is sent without an id. */
  readonly looks: boolean;
  readonly request: RequestMark & Required<Pick<RequestMark, 'requestId'>>;
  /** Executes it in this process. `appeared` returns whether a service has begun to listen in the meantime. */
  here(request: RequestMark, appeared: () => boolean): Promise<Answer>;
}

/** Error codes while another process holds the graph for its lifetime, or if this process may not write it. */
const GRAPH_HELD_CODES: ReadonlySet<string> = new Set(['locked', 'service_running', 'read_only']);

/**
 * Calls an operation in the service if one answers, otherwise here. A service that starts in the meantime holds the
 * graph for its lifetime, so the call is repeated there under the same request id, by which the service recognises a
 * completed call.
 */
export async function callThrough<Answer>(
  service: Service,
  { name, input, byRun, looks, here, request: first }: ThroughCall<Answer>,
  patience: WaitClock,
): Promise<Answer> {
  let request = first;
  let until = Number.POSITIVE_INFINITY;
  for (;;) {
    const appeared = service.watch();
    const asked = { cmd: 'operation', name, input } as const;
    // Making an id takes a tenth of the time of a read, which needs none.
    const reply = await service.ask(looks ? asked : { ...asked, request_id: request.requestId });
    if (reply.state === 'answered') return reply.result as Answer; // the service has the same table of operations
    if (reply.state === 'broken') request = { ...request, fresh: false };
    try {
      return await here(request, appeared);
    } catch (error) {
      if (!(error instanceof TroupeError)) throw error;
      until = Math.min(until, patience.now() + WORK_LIMITS.doorWaitMs);
      if (byRun && error.code === 'read_only') {
        const { waitForListener: untilListened } = await import('./listener.js'); // loaded late: few calls are by a run
        await untilListened(appeared, until, patience);
      }
      const served = appeared() && GRAPH_HELD_CODES.has(error.code);
      if (!served || patience.now() >= until) throw error;
      request = { ...request, fresh: false };
    }
  }
}
