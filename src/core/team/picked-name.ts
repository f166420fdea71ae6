import { slugOf } from '#core/catalog/member-slug.js';
import { inert } from '#kernel/text.js';
import type { TakenNames } from './names.js';

/** What a person may call a member of a proposal. */
export interface AllowedNames {
  readonly reserved: TakenNames;
  /** The names of the universe. */
  readonly pool: readonly string[];
  /** Members of the team as it is, who may be kept. */
  readonly active: readonly string[];
  readonly universe: string;
}

interface Judged {
  readonly name: string;
  readonly source: 'kept' | 'picked';
  /** Why it cannot be given, in words that follow it. */
  readonly why?: string;
}

/** A name somebody picked: in the spelling of the team or of the universe, or why not. */
export function nameFault(wanted: string, allowed: AllowedNames): Judged {
  const refused = (why: string): Judged => ({ name: wanted, source: 'picked', why });
  const slug = slugOf(wanted);
  if (slug === undefined) return refused('has no form for a folder');
  const member = allowed.active.find((name) => slugOf(name) === slug);
  if (member !== undefined) return { name: member, source: 'kept' };
  if (allowed.reserved.has(wanted)) return refused('is taken or reserved');
  const spelled = allowed.pool.find((name) => slugOf(name) === slug);
  if (spelled === undefined) return refused(`is no name of ${inert(allowed.universe)}`);
  return { name: spelled, source: 'picked' };
}
