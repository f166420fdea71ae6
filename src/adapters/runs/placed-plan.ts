import type { RunTree } from '#ports/attempt-trees.js';
import type { CompletedClient } from '#ports/client-completion.js';
import type { ClientPlan, RunPlan } from '#ports/run-host.js';

/** The plan of a client's run, completed with paths of this machine. */
export interface PlacedClient extends ClientPlan {
  readonly here: CompletedClient;
}

/** A plan completed with paths of this machine. */
export interface PlacedPlan extends Omit<RunPlan, 'tree' | 'client'> {
  readonly tree?: RunTree;
  readonly client?: PlacedClient;
}
