import { inert } from '#kernel/text.js';
import type { LeaderCard } from '#ports/leader-seal.js';
import type { WorkerCard } from '#ports/worker-gateway.js';
import type { OrderGate } from './order-gate.js';
import type { WorkerEvent } from './worker-events.js';

/** Introduction of a worker, without the leaders it knows. */
export type OwnCard = Omit<WorkerCard, 'leaders'>;

interface WatchParts {
  readonly card: OwnCard;
  readonly gate: Pick<OrderGate, 'keys' | 'knows'>;
  tell(event: WorkerEvent): void;
}

/** Tracks the leaders that a worker last reported to know, and whether the current leader is among them. */
export class LeaderWatch {
  private readonly parts: WatchParts;
  private said: readonly string[] = [];
  /** The leader already reported as unagreed. */
  private unknown: string | undefined;

  constructor(parts: WatchParts) {
    this.parts = parts;
  }

  /** Introduction with the current leaders, which it records as reported. */
  introduced(): WorkerCard {
    this.said = this.parts.gate.keys();
    return { ...this.parts.card, leaders: this.said };
  }

  /** Whether the agreed leaders have changed since the last introduction. */
  hasChanged(): boolean {
    const keys = this.parts.gate.keys();
    return keys.length !== this.said.length || keys.some((key) => !this.said.includes(key));
  }

  checkLeader(leader: LeaderCard | undefined): void {
    if (leader === undefined) return;
    const { gate, tell } = this.parts;
    const who = `${inert(leader.name)} on ${inert(leader.at)} leads`;
    if (gate.knows(leader)) {
      if (this.unknown !== undefined) tell({ event: 'agreed', text: `${who}, to which somebody agreed here` });
      this.unknown = undefined;
    } else if (this.unknown !== leader.key) {
      this.unknown = leader.key;
      const text = `${who} with the key ${inert(leader.key)}, to which nobody agreed here: nothing is taken from there. \`troupe worker agree\` in this clone asks for that`;
      tell({ event: 'unagreed', text });
    }
  }
}
