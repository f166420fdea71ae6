import { folderSlug } from '#core/catalog/member-slug.js';
import { inert } from '#kernel/text.js';

/** Words a member can never be called: they address someone or something else. */
const WORDS = ['user', 'system', 'all'];

/** Names that are taken, compared by lower case and by slug. */
export class ReservedNames {
  private readonly keys: Set<string>;

  constructor(names: Iterable<string> = []) {
    this.keys = new Set();
    for (const name of [...WORDS, ...names]) this.take(name);
  }

  has(name: string): boolean {
    return keysOf(name).some((key) => this.keys.has(key));
  }

  take(name: string): void {
    for (const key of keysOf(name)) this.keys.add(key);
  }
}

function keysOf(name: string): string[] {
  const slug = folderSlug(name);
  const lower = name.trim().toLowerCase();
  return slug === undefined || slug === lower ? [lower] : [lower, slug];
}

interface AllocatedName {
  readonly name: string;
  readonly source: 'pool' | 'overflow';
}

/**
 * `count` names: the next untaken ones of the pool, in its order, then `member-1`, `member-2`, …
 * Every name given is taken at once, so no two are alike; `reserved` is changed.
 */
export function allocateNames(pool: readonly string[], reserved: ReservedNames, count: number): AllocatedName[] {
  const names: AllocatedName[] = [];
  const give = (name: string, source: AllocatedName['source']) => {
    reserved.take(name);
    names.push({ name, source });
  };
  for (const name of pool) {
    if (names.length === count) return names;
    if (folderSlug(name) !== undefined && !reserved.has(name)) give(name, 'pool');
  }
  for (let number = 1; names.length < count; number++) {
    if (!reserved.has(`member-${number}`)) give(`member-${number}`, 'overflow');
  }
  return names;
}

/** Names after the archetype: `writer`, then `writer-2`, `writer-3`; `reserved` is changed. */
export function describeNames(archetypeIds: readonly string[], reserved: ReservedNames): string[] {
  return archetypeIds.map((id) => {
    let name = id;
    for (let number = 2; reserved.has(name); number++) name = `${id}-${number}`;
    reserved.take(name);
    return name;
  });
}

/** What a person may call a member of a proposal. */
export interface AllowedNames {
  readonly reserved: ReservedNames;
  /** The names of the universe. */
  readonly pool: readonly string[];
  /** Members of the team as it is, who may be kept. */
  readonly active: readonly string[];
  readonly universe: string;
}

interface NameVerdict {
  readonly name: string;
  readonly source: 'kept' | 'picked';
  /** Why it cannot be given, in words that follow it. */
  readonly why?: string;
}

/** A name somebody picked: in the spelling of the team or of the universe, or why not. */
export function nameFault(requested: string, allowed: AllowedNames): NameVerdict {
  const refused = (why: string): NameVerdict => ({ name: requested, source: 'picked', why });
  const slug = folderSlug(requested);
  if (slug === undefined) return refused('cannot be used as a folder name');
  const member = allowed.active.find((name) => folderSlug(name) === slug);
  if (member !== undefined) return { name: member, source: 'kept' };
  if (allowed.reserved.has(requested)) return refused('is taken or reserved');
  const spelled = allowed.pool.find((name) => folderSlug(name) === slug);
  if (spelled === undefined) return refused(`is not a name of ${inert(allowed.universe)}`);
  return { name: spelled, source: 'picked' };
}
