import { slugOf } from '#core/catalog/member-slug.js';

/** Words a member can never be called: they address someone or something else. */
const WORDS = ['user', 'system', 'all'];

/** Names that are taken, compared by lower case and by slug. */
export class TakenNames {
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
  const slug = slugOf(name);
  const lower = name.trim().toLowerCase();
  return slug === undefined || slug === lower ? [lower] : [lower, slug];
}

interface GivenName {
  readonly name: string;
  readonly source: 'pool' | 'overflow';
}

/**
 * `count` names: the next untaken ones of the pool, in its order, then `member-1`, `member-2`, …
 * Every name given is taken at once, so no two are alike; `taken` is changed.
 */
export function allocateNames(pool: readonly string[], taken: TakenNames, count: number): GivenName[] {
  const given: GivenName[] = [];
  const give = (name: string, source: GivenName['source']) => {
    taken.take(name);
    given.push({ name, source });
  };
  for (const name of pool) {
    if (given.length === count) return given;
    if (slugOf(name) !== undefined && !taken.has(name)) give(name, 'pool');
  }
  for (let number = 1; given.length < count; number++) {
    if (!taken.has(`member-${number}`)) give(`member-${number}`, 'overflow');
  }
  return given;
}

/** Names after the archetype: `writer`, then `writer-2`, `writer-3`; `taken` is changed. */
export function describeNames(archetypeIds: readonly string[], taken: TakenNames): string[] {
  return archetypeIds.map((id) => {
    let name = id;
    for (let number = 2; taken.has(name); number++) name = `${id}-${number}`;
    taken.take(name);
    return name;
  });
}
