import { slugOf } from '#core/catalog/member-slug.js';
import type { RegistryRecord } from './registry.js';

/** Which slug a member has now, by each it had before; what is remembered goes along with a new name. */
export function slugsBefore(records: readonly RegistryRecord[]): ReadonlyMap<string, string> {
  const next = new Map<string, string>();
  for (const { slug, succeededBy } of records) {
    const successor = succeededBy === undefined ? undefined : slugOf(succeededBy);
    if (successor !== undefined && successor !== slug) next.set(slug, successor);
  }
  const last = (slug: string): string => {
    const seen = new Set([slug]);
    let current = slug;
    for (let after = next.get(current); after !== undefined && !seen.has(after); after = next.get(current)) {
      seen.add(after);
      current = after;
    }
    return current;
  };
  return new Map([...next.keys()].map((slug) => [slug, last(slug)]));
}

/** All slugs under which something of a member may be kept, the present one first. */
export function slugsOf(before: ReadonlyMap<string, string>, slug: string): readonly string[] {
  const present = before.get(slug) ?? slug;
  return [present, ...[...before].flatMap(([old, now]) => (now === present && old !== present ? [old] : []))];
}
