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
