/**
 * The shipped vocabulary as types, and the validation of its files: archetypes, groupings, universes, workflows.
 * @packageDocumentation
 */
import * as z from 'zod/mini';

/** Entry with its origin: `source` is set for a project's entries and absent for shipped ones. */
export type OfProject<Entry> = Entry & { readonly source?: 'project' };

/** Complete vocabulary for building a team, in display order. */
export interface Catalog {
  readonly version: string;
  /** All archetypes, including built-in ones. */
  readonly archetypes: ReadonlyMap<string, OfProject<Archetype>>;
  /** Archetypes that can be cast: all except built-in ones. */
  readonly menu: readonly OfProject<Archetype>[];
  readonly groupings: ReadonlyMap<string, OfProject<Grouping>>;
  readonly universes: readonly OfProject<Universe>[];
  readonly builtins: readonly Builtin[];
  readonly lexicon: Lexicon;
  /** Kinds of work a goal may ask for, in the order in which their members are listed. */
  readonly workKinds: readonly WorkKind[];
  /** Example goals as people type them, labelled with the kinds of work they ask for. */
  readonly goalExamples: readonly GoalExample[];
  readonly signalRules: readonly SignalRule[];
  /** Ids of the shipped workflows; each is read on demand. */
  readonly workflows: readonly string[];
}

/** Default team if nothing is known about the work. */
export const GENERAL_TEAM = ['lead-architect', 'core-implementer', 'quality-reviewer'] as const;

/** Returns an archetype that can be cast; undefined if unknown or built-in. */
export function castable(catalog: Catalog, id: string): Archetype | undefined {
  const archetype = catalog.archetypes.get(id);
  return archetype?.kind === 'cast' ? archetype : undefined;
}

/*
 * Schemas of the catalog files. Field names match the files, which keeps errors, files and code in the same terms.
 * Unknown keys are rejected: a mistyped field must not be ignored silently.
 */
const identifier = z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'use a-z, 0-9 and -, at most 64 characters'));
const line = z.string().check(z.minLength(1), z.maxLength(300), z.regex(/^[^\r\n]*$/, 'must be one line'));
const lines = z.array(line).check(z.minLength(1), z.maxLength(50));
const paragraph = z.string().check(z.minLength(1), z.maxLength(2_000));
const word = z.string().check(z.minLength(1), z.maxLength(60));

export const archetypeSchema = z.strictObject({
  id: identifier,
  title: line,
  summary: paragraph,
  domain: identifier,
  /** `cast` can be proposed; `builtin` joins every team automatically. */
  kind: z.enum(['cast', 'builtin']),
  /** Whether a member of this archetype may lead a team. */
  leads: z.boolean(),
  capabilities: lines,
  responsibilities: lines,
  boundaries: lines,
  keywords: z.array(word).check(z.maxLength(100)),
  desired_outcome: paragraph,
  default_tradeoff: z.enum(['careful', 'fast', 'thorough', 'balanced']),
  default_model: z.enum(['strong', 'standard', 'fast']),
});
export type Archetype = z.infer<typeof archetypeSchema>;

export const groupingSchema = z.strictObject({
  id: identifier,
  title: line,
  description: paragraph,
  archetypes: z.array(identifier).check(z.minLength(1), z.maxLength(20)),
});
export type Grouping = z.infer<typeof groupingSchema>;

export const universeSchema = z.strictObject({
  name: line,
  names: z.array(z.string().check(z.minLength(1), z.maxLength(40))).check(z.minLength(1), z.maxLength(200)),
});
export type Universe = z.infer<typeof universeSchema>;

const builtinSchema = z.strictObject({
  name: z.string().check(z.minLength(1), z.maxLength(40)),
  archetype: identifier,
});
export const builtinsSchema = z.array(builtinSchema).check(z.minLength(1), z.maxLength(20));
export type Builtin = z.infer<typeof builtinSchema>;

export const lexiconSchema = z.strictObject({
  /** Words without information about the work. */
  stop_words: z.array(word).check(z.maxLength(2_000)),
  /** Goal word → catalog words it also matches. */
  synonyms: z.record(word, z.array(word).check(z.minLength(1), z.maxLength(50))),
  /** Language → foreign word → English word or phrase of a kind of work. */
  languages: z.record(identifier, z.record(word, word)),
});
export type Lexicon = z.infer<typeof lexiconSchema>;

const workKindSchema = z.strictObject({
  id: identifier,
  title: line,
  /** Verbs that indicate this kind of work, regardless of their object. */
  verbs: z.array(word).check(z.maxLength(200)),
  /** Generic verbs that count only if nothing else determines the kind. */
  making: z.array(word).check(z.maxLength(200)),
  /** Words that indicate the kind in any position: "the page freezes when …". */
  signs: z.array(word).check(z.maxLength(500)),
  /** Products or subjects of the work; several words form a phrase. */
  things: z.array(word).check(z.maxLength(1_000)),
  /** Domains whose members join if the work is done on their products. */
  beside: z.array(identifier).check(z.minLength(1), z.maxLength(20)),
  /** Domains to whose work this kind can be an extra: "a library *with tests*". */
  extra_to: z.array(identifier).check(z.maxLength(20)),
  /** Archetypes that do the work, the main one first. */
  team: z.array(identifier).check(z.minLength(1), z.maxLength(20)),
});
export const workKindsSchema = z.strictObject({ kinds: z.array(workKindSchema).check(z.maxLength(200)) });
export type WorkKind = z.infer<typeof workKindSchema>;

export const goalExampleLinesSchema = z.array(z.string().check(z.maxLength(600))).check(z.maxLength(20_000));

export interface GoalExample {
  readonly goal: string;
  /** Ids of kinds of work, the main one first. */
  readonly kinds: readonly string[];
}

const signalRuleSchema = z.strictObject({ signal: z.string(), archetype: identifier, reason: line });
export const signalRulesSchema = z.strictObject({
  rules: z.array(signalRuleSchema).check(z.minLength(1), z.maxLength(500)),
});
export type SignalRule = z.infer<typeof signalRuleSchema>;

/** Version and display order. Archetype, grouping and universe files that it does not list are rejected. */
export const manifestSchema = z.strictObject({
  version: z.union([z.string().check(z.minLength(1), z.maxLength(40)), z.number()]),
  archetypes: z.array(identifier).check(z.minLength(1), z.maxLength(500)),
  groupings: z.array(identifier).check(z.maxLength(100)),
  universes: z.array(identifier).check(z.minLength(1), z.maxLength(100)),
  workflows: z.array(identifier).check(z.maxLength(100)),
});
export type Manifest = z.infer<typeof manifestSchema>;
