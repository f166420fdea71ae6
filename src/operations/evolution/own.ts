/**
 * `evolve …`: a model proposes changes of roles and trade-offs, a person decides the important ones, and each run is
 * reported and can be undone.
 * @packageDocumentation
 */
import type { Agency } from '#core/agency/agency.js';
import { descends } from '#core/agency/pairing.js';
import type { Settings } from '#core/settings/schema.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';

/** How roles change is for persons to start and to decide: nothing does it by itself. `human_required`. */
export function personsEvolution({ caller }: Pick<Context, 'caller'>): void {
  if (caller.kind === 'run')
    throw new TroupeError('human_required', { what: 'Only a person can decide how roles change.' });
}

/** The shipped role of whoever proposes; it counts as theirs also where no agent is named. */
const EVOLVER: ReadonlySet<string> = new Set(['Evolver']);

/** The roles and trade-offs of whoever proposes changes, by id. Errors: `not_found` where the settings name nobody who is here. */
export function evolverOf(agency: Agency, { evolver_agent: named }: Settings['agency']) {
  const agent = named === undefined ? undefined : agency.find('agent', named);
  const own = new Set(agency.all('role').flatMap((role) => (descends(agency, role, EVOLVER) ? [role.id] : [])));
  for (const id of agent ? [agent.role_id, agent.tradeoff_id] : []) own.add(id);
  return { agent, own };
}
