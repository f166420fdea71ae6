import type { Agency } from '#core/agency/agency.js';
import { agencyOf } from '#core/agency/read.js';
import { acceptedIn } from '#core/agency/waiting.js';
import type { AgencyFiles, CommitCheck } from '#ports/agency.js';
import type { GraphStore } from '#ports/graph-store.js';
import { graphIfAny } from './graph-if-any.js';

interface Parts {
  agency(): Promise<Pick<AgencyFiles, 'read'>>;
  graph(): Promise<GraphStore>;
}

/** All roles, trade-offs and agents of the project. There need not be a graph. */
export async function loadAgency(context: Parts): Promise<Agency> {
  const { records, warnings } = await (await context.agency()).read(committedIn(context));
  return agencyOf(records, warnings);
}

/**
 * The id of the agent a person means by a name, an id or the beginning of one. Errors: `not_found` with the nearest name,
 * `ambiguous_id`, `not_accepted`.
 */
export async function agentNamed(context: Parts, word: string): Promise<string> {
  return acceptedIn(await loadAgency(context), 'agent', word).id;
}

/** Tells of a change of the agency whether the log of the graph has it. */
export function committedIn(context: Pick<Parts, 'graph'>): CommitCheck {
  return async (change, from) => {
    const store = await graphIfAny(context);
    if (!store) return true;
    for await (const entry of store.entries(from + 1)) if (entry.detail?.['change'] === change) return true;
    return false;
  };
}
