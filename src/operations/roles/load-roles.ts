/**
 * `troupe roles …`: the role files of a repository and their changes; solo runs, candidates, graduation, proposals.
 * @packageDocumentation
 */
import type { RoleRegistry } from '#core/roles/lane.js';
import { readRoles } from '#core/roles/registry.js';
import type { Context } from '#operations/operation.js';

/** Parses all role files. */
export async function loadRoles(context: Pick<Context, 'roleFiles'>): Promise<RoleRegistry> {
  const { texts, problems } = await (await context.roleFiles()).read();
  return readRoles(texts, problems);
}
