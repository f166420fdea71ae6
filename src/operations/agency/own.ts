import type { Agency } from '#core/agency/agency.js';
import { descendsOnlyFrom } from '#core/agency/pairing.js';
import type { Settings } from '#core/settings/schema.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';

/** Errors: `human_required` for runs: only people start evolutions and decide about them. */
export function personsEvolution({ caller }: Pick<Context, 'caller'>): void {
  if (caller.kind === 'run')
    throw new TroupeError('human_required', { what: 'Only a person can decide how roles change.' });
}

/** Shipped role of the proposer; it counts as the proposer's own even if no agent is configured. */
const EVOLVER: ReadonlySet<string> = new Set(['Evolver']);

/** The proposer's roles and trade-offs, by id. Errors: `not_found` if the configured agent does not exist. */
export function evolverOf(agency: Agency, { evolver_agent: named }: Settings['agency']) {
  const agent = named === undefined ? undefined : agency.find('agent', named);
  const own = new Set(agency.all('role').flatMap((role) => (descendsOnlyFrom(agency, role, EVOLVER) ? [role.id] : [])));
  for (const id of agent ? [agent.role_id, agent.tradeoff_id] : []) own.add(id);
  return { agent, own };
}
