import { roleChanges } from '../../data/live.js';
import { type Resource, resourceOf, useResource } from '../../data/resource.js';

/** Role files change also by hand, of which no event tells. To read hundreds of them takes its time. */
const ASK_MS = 30_000;

export const list = resourceOf('roles.list', {});
export const candidates = resourceOf('roles.candidates', {});
export const proposals = resourceOf('roles.proposals', {});
export const audit = resourceOf('roles.evolve', {});

export function useRoles<Value>(resource: Resource<Value>) {
  return useResource(resource, ASK_MS, roleChanges);
}

/**
 * Findings derived from all role files are reloaded when roles change, not periodically; a decision on stale ones is
 * rejected.
 */
export function useFindings<Value>(resource: Resource<Value>) {
  return useResource(resource, undefined, roleChanges);
}

/** After a change of this page, whether or not the log tells of it. */
export async function reload(): Promise<void> {
  await Promise.all([list, candidates, proposals, audit].map((resource) => resource.load()));
}
