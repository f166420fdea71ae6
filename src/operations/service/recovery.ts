import type { UnreadFact } from '#core/coordinator/resurrect.js';
import type { Triaged } from '#core/coordinator/verdict.js';
import type { Context } from '#operations/operation.js';
import { keepCheckpoint, type RunAtWork } from './auto-checkpoint.js';
import { type DeadRun, triageRun } from './triage.js';
import { unreadFacts } from './unread.js';

/** What a round needs when runs die, and to keep what they know before. */
export class Recovery {
  private readonly context: Context;

  constructor(context: Context) {
    this.context = context;
  }

  triage(dead: DeadRun, signal: AbortSignal): Promise<Triaged> {
    return triageRun(this.context, dead, signal);
  }

  checkpoint(at: RunAtWork): Promise<void> {
    return keepCheckpoint(this.context, at);
  }

  unread(): Promise<readonly UnreadFact[]> {
    return unreadFacts(this.context);
  }
}
