import type { Trouble } from '#core/runs/provider-trouble.js';

/** A client that is not started for a while, because its provider is in trouble. Times in milliseconds. */
export interface ClientHold {
  readonly client: string;
  readonly trouble: Trouble;
  readonly since: number;
  /** From then on one run may see whether it is over. */
  readonly until: number;
  /** How long the last pause was. */
  readonly pauseMs: number;
  /** The run that met it last. */
  readonly run: string;
}
