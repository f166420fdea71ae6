/**
 * The shipped vocabulary as types, and the checks of its files: archetypes, groupings, universes, workflows.
 * @packageDocumentation
 */
import type { Archetype, Builtin, Grouping, Lexicon, SignalRule, Universe } from '#core/catalog/entries.js';

/** Entries a project added say so; shipped ones say nothing. */
export type OfProject<Entry> = Entry & { readonly source?: 'project' };

/** The whole vocabulary a team is made of, in display order. */
export interface Catalog {
  readonly version: string;
  /** Every archetype, built-in ones too. */
  readonly archetypes: ReadonlyMap<string, OfProject<Archetype>>;
  /** What may be cast: everything but the built-in archetypes. */
  readonly menu: readonly OfProject<Archetype>[];
  readonly groupings: ReadonlyMap<string, OfProject<Grouping>>;
  readonly universes: readonly OfProject<Universe>[];
  readonly builtins: readonly Builtin[];
  readonly lexicon: Lexicon;
  readonly signalRules: readonly SignalRule[];
  /** Ids of the shipped workflows; each is read when it is needed. */
  readonly workflows: readonly string[];
}

/** The team that fits when nothing is known about the work. */
export const GENERAL_TEAM = ['lead-architect', 'core-implementer', 'quality-reviewer'] as const;

/** An archetype that may be cast, or undefined: built-in ones are as good as unknown here. */
export function castable(catalog: Catalog, id: string): Archetype | undefined {
  const archetype = catalog.archetypes.get(id);
  return archetype?.kind === 'cast' ? archetype : undefined;
}
