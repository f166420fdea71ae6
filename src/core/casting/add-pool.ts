import type { Catalog, Universe } from '#core/catalog/catalog.js';
import { memberSlug } from '#core/catalog/member-slug.js';
import type { SquadPlan } from '#core/squad/file-change.js';
import { POLICY_JSON } from '#core/squad/squad-paths.js';
import { refuseWrites, type SquadState } from '#core/squad/squad-state.js';
import { TroupeError } from '#kernel/errors.js';
import { parseJsonObject } from '#kernel/json.js';
import { inert } from '#kernel/text.js';

export const poolPath = (slug: string) => `.squad/casting/universes/${slug}.yaml`;

/**
 * Plans adding a name pool to a project: the pool file, and a policy that allows it. Without a policy all shipped pools
 * were allowed; the new policy keeps them allowed. Errors: `universe_invalid` for a name that already exists, those of
 * `refuseWrites`.
 */
export function addPool(state: SquadState, catalog: Catalog, pool: Universe): SquadPlan<{ name: string }> {
  refuseWrites(state);
  const slug = memberSlug(pool.name);
  const namesake = catalog.universes.find((universe) => memberSlug(universe.name) === slug);
  if (namesake !== undefined) {
    const hint = 'Rename yours, or add it to allowlistUniverses in the policy.';
    throw new TroupeError('universe_invalid', { what: `The universe ${inert(namesake.name)} already exists.`, hint });
  }
  const policy = parseJsonObject(state.texts.get(POLICY_JSON) ?? '{}') ?? {};
  const allowed =
    state.policy?.allowlistUniverses ??
    catalog.universes.filter((universe) => universe.source === undefined).map((universe) => universe.name);
  const named = allowed.some((name) => name.toLowerCase() === pool.name.toLowerCase());
  const next = { version: '1', ...policy, allowlistUniverses: named ? [...allowed] : [...allowed, pool.name] };
  return {
    changes: [
      { kind: 'write', path: poolPath(slug), text: poolText(pool) },
      { kind: 'write', path: POLICY_JSON, text: `${JSON.stringify(next, null, 2)}\n` },
    ],
    result: { name: pool.name },
  };
}

/** Formats a pool as YAML; JSON strings are valid YAML strings. */
function poolText({ name, names }: Universe): string {
  return [`name: ${JSON.stringify(name)}`, 'names:', ...names.map((one) => `  - ${JSON.stringify(one)}`), ''].join(
    '\n',
  );
}
