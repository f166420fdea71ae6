import type { Agency } from '#core/agency/agency.js';
import { agencyOf } from '#core/agency/read.js';
import { acceptedIn } from '#core/agency/waiting.js';
import type { AgencyFiles } from '#ports/agency.js';
import type { GraphStore } from '#ports/graph-store.js';
import { committedIn } from './change-mark.js';

interface Parts {
  agency(): Promise<Pick<AgencyFiles, 'read'>>;
  graph(): Promise<GraphStore>;
}

/** All roles, trade-offs and agents of the project. Works without a graph. */
export async function loadAgency(context: Parts): Promise<Agency> {
  const { records, warnings } = await (await context.agency()).read(committedIn(context));
  return agencyOf(records, warnings);
}

/**
 * Resolves the name, id or prefix of an id to the id of an agent. Errors: `not_found` with the closest name,
 * `ambiguous_id`, `not_accepted`.
 */
export async function agentNamed(context: Parts, word: string): Promise<string> {
  return acceptedIn(await loadAgency(context), 'agent', word).id;
}
