import { roleChanges } from '../../data/live.js';
import { type Resource, resourceOf, useResource } from '../../data/resource.js';

/**
 * Role files are also edited by hand, without an event. Reading hundreds of them takes time, hence the long interval.
 */
const ASK_MS = 30_000;

export const list = resourceOf('roles.list', {});
/** Roles of the agents, with their scores; not of role files. */
export const scoredRoles = resourceOf('agency.list', { kind: 'role' });
export const candidates = resourceOf('roles.candidates', {});
export const proposals = resourceOf('roles.proposals', {});
export const audit = resourceOf('roles.evolve', {});

export function useRoles<Value>(resource: Resource<Value>) {
  return useResource(resource, ASK_MS, roleChanges);
}

/**
 * Loads findings derived from all role files; reloads them when roles change, not periodically. A decision on stale
 * findings is rejected.
 */
export function useFindings<Value>(resource: Resource<Value>) {
  return useResource(resource, undefined, roleChanges);
}

/** Reloads after a change from this page, which need not cause an event. */
export async function reload(): Promise<void> {
  await Promise.all([list, candidates, proposals, audit].map((resource) => resource.load()));
}
