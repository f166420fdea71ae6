import type { SpendLimit } from '#core/coordinator/budget.js';
import type { Clock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { WORKER_LIMITS } from '#kernel/limits/worker.js';
import { sealedWords } from '#kernel/sealed-words.js';
import { isSignedBy } from '#kernel/signature.js';
import type { LeaderCard, SealedText, SealPurpose } from '#ports/leader-seal.js';
import type { AttemptOrder, RunInstruction, SignedOrder } from '#ports/worker-gateway.js';
import { orderIn, sealedLimitIn } from './order-schema.js';

interface GateParts {
  /** Name of the project in the settings of this machine. */
  readonly project: string;
  /** Keys of the leaders whose commands a person has allowed here. Looked up each time, because it may change. */
  agreed(): readonly string[];
  /** Clock of the store, by which orders are signed. */
  readonly clock: Clock;
}

/** Accepts only data signed by a known leader of this project. */
export class OrderGate {
  private readonly parts: GateParts;

  constructor(parts: GateParts) {
    this.parts = parts;
  }

  keys(): readonly string[] {
    return this.parts.agreed();
  }

  knows({ key }: Pick<LeaderCard, 'key'>): boolean {
    return this.keys().includes(key);
  }

  /**
   * Verifies and parses an order: it must be signed, recently, for this attempt. Errors: `order_refused` with the
   * reason.
   */
  opened({ run, task, fence, order }: SignedOrder): AttemptOrder {
    this.refuseForged('order', order);
    const read = orderIn(order.text);
    if ('fault' in read) throw refused(`The order of ${run} is not valid: ${read.fault}.`);
    const { plan, tree } = read.value;
    if (plan.id !== run || plan.fence !== fence || plan.taskId !== task || tree.task !== task)
      throw refused(`The order of ${run} was signed for another attempt.`);
    const age = this.parts.clock.now() - plan.startedAt;
    if (Math.abs(age) > WORKER_LIMITS.orderFreshMs)
      throw refused(
        `The order of ${run} was not signed within the last ${WORKER_LIMITS.orderFreshMs / 60_000} minutes.`,
      );
    return read.value;
  }

  /** Verifies and parses a new limit of a run; undefined if there is none. Errors: `order_refused`. */
  limit({ run, fence, limit }: RunInstruction): SpendLimit | undefined {
    if (limit === undefined) return undefined;
    this.refuseForged('limit', limit);
    const read = sealedLimitIn(limit.text);
    if ('fault' in read) throw refused(`The limit of ${run} is not valid: ${read.fault}.`);
    if (read.value.run !== run || read.value.fence !== fence)
      throw refused(`The limit of ${run} was signed for another attempt.`);
    return read.value.limit;
  }

  private refuseForged(purpose: SealPurpose, { text, key, signature }: SealedText): void {
    if (!this.keys().includes(key)) throw new TroupeError('order_refused');
    if (!isSignedBy(sealedWords(purpose, this.parts.project, text), key, signature))
      throw refused('An order is not what its leader signed for this project: somebody changed it in the database.');
  }
}

function refused(what: string): TroupeError {
  return new TroupeError('order_refused', { what });
}
