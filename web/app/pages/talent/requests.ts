import { roleChanges } from '../../data/live.js';
import { type Resource, resourceOf, useResource } from '../../data/resource.js';

/** Role files change also by hand, of which no event tells. */
const ASK_MS = 15_000;

export const list = resourceOf('roles.list', {});
export const candidates = resourceOf('roles.candidates', {});
export const proposals = resourceOf('roles.proposals', {});
export const audit = resourceOf('roles.evolve', {});

export function useRoles<Value>(resource: Resource<Value>) {
  return useResource(resource, ASK_MS, roleChanges);
}

/** The audit lists the files of the repository: it is asked when roles change, and not by the clock. */
export function useAudit() {
  return useResource(audit, undefined, roleChanges);
}

/** After a change of this page, whether or not the log tells of it. */
export async function reload(): Promise<void> {
  await Promise.all([list, candidates, proposals, audit].map((resource) => resource.load()));
}
