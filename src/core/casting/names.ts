import type { Catalog } from '#core/catalog/catalog.js';
import { folderSlug } from '#core/catalog/member-slug.js';
import { everyName } from '#core/squad/registry.js';
import type { SquadState } from '#core/squad/squad-state.js';
import { inert } from '#kernel/text.js';

/** Words that cannot be member names because they address something else. */
const RESERVED_WORDS = ['user', 'system', 'all'];

/** Reserved names, compared by lower case and by slug. */
export class ReservedNames {
  private readonly keys: Set<string>;

  constructor(names: Iterable<string> = []) {
    this.keys = new Set();
    for (const name of [...RESERVED_WORDS, ...names]) this.take(name);
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
 * Returns `count` names: the next free names of the pool in order, then `member-1`, `member-2`, … Each name is reserved
 * as it is allocated, which keeps names unique; `reserved` is modified.
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

/** Returns names derived from the archetype ids: `writer`, then `writer-2`, `writer-3`. `reserved` is modified. */
export function describeNames(archetypeIds: readonly string[], reserved: ReservedNames): string[] {
  return archetypeIds.map((id) => {
    let name = id;
    for (let number = 2; reserved.has(name); number++) name = `${id}-${number}`;
    reserved.take(name);
    return name;
  });
}

/** Constraints on the names a person may choose for a member of a proposal. */
export interface AllowedNames {
  readonly reserved: ReservedNames;
  /** The names of the universe. */
  readonly pool: readonly string[];
  /** Active members, who may be kept under their names. */
  readonly active: readonly string[];
  readonly universe: string;
}

interface CheckedName {
  readonly name: string;
  readonly source: 'kept' | 'picked';
  /** Reason for the refusal, phrased to follow the name. */
  readonly why?: string;
}

/**
 * Checks a name that a person chose. Returns it in the spelling of the team or of the universe, or with the reason for
 * its refusal.
 */
export function checkChosenName(requested: string, allowed: AllowedNames): CheckedName {
  const refused = (why: string): CheckedName => ({ name: requested, source: 'picked', why });
  const slug = folderSlug(requested);
  if (slug === undefined) return refused('cannot be used as a folder name');
  const member = allowed.active.find((name) => folderSlug(name) === slug);
  if (member !== undefined) return { name: member, source: 'kept' };
  if (allowed.reserved.has(requested)) return refused('is taken or reserved');
  const spelled = allowed.pool.find((name) => folderSlug(name) === slug);
  if (spelled === undefined) return refused(`is not a name of ${inert(allowed.universe)}`);
  return { name: spelled, source: 'picked' };
}

/** Names that new members may not use: names of current and former members, of rows in team.md, and of built-in members. */
export function reservedNames(state: SquadState, catalog: Catalog): ReservedNames {
  return new ReservedNames([
    ...everyName(state.registry),
    ...state.teamFile.memberNames,
    ...catalog.builtins.map((builtin) => builtin.name),
  ]);
}
