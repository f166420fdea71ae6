import { type RoleMatter, roleMatters } from '#core/roles/attention.js';
import { candidatesIn } from '#core/roles/candidates.js';
import { readRoles } from '#core/roles/registry.js';
import { sha256 } from '#kernel/hash.js';
import type { Context } from '#operations/operation.js';
import type { RoleFiles, RoleFolder } from '#ports/role-files.js';
import { readableProposals } from './acceptance.js';

/** Cache of the last result: role files are examined on every request, but seldom change. */
const latest = new WeakMap<RoleFiles, { readonly of: string; readonly facts: ReturnType<typeof factsOf> }>();

/** Open decisions about roles; empty without role files. */
export async function roleMattersOf(context: Pick<Context, 'roleFiles'>): Promise<RoleMatter[]> {
  const files = await context.roleFiles();
  const folder = await files.read();
  if (folder.texts.size === 0) return [];
  const of = sha256([...folder.texts].flat().join('\0'));
  const before = latest.get(files);
  const facts = before?.of === of ? before.facts : factsOf(folder);
  latest.set(files, { of, facts });
  return roleMatters(facts.registry, facts.candidates, readableProposals(await files.proposals()).all);
}

function factsOf({ texts, problems }: RoleFolder) {
  const registry = readRoles(texts, problems);
  return { registry, candidates: candidatesIn(registry) };
}
