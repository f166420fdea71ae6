import { type RoleMatter, roleMatters } from '#core/lanes/attention.js';
import { candidatesIn } from '#core/lanes/candidates.js';
import { readRoles } from '#core/lanes/registry.js';
import { sha256 } from '#kernel/hash.js';
import type { Context } from '#operations/operation.js';
import type { RoleFiles, RoleFolder } from '#ports/role-files.js';
import { readableProposals } from './acceptance.js';

/** What the role files last came to: they are looked at whenever somebody asks what needs a person, and change seldom. */
const latest = new WeakMap<RoleFiles, { readonly of: string; readonly facts: ReturnType<typeof factsOf> }>();

/** What of the roles waits for a person. Where there are no role files, nothing is looked at further. */
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
