/**
 * The shipped vocabulary as types, and the validation of its files: archetypes, groupings, universes, workflows.
 * @packageDocumentation
 */
import * as z from 'zod/mini';

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
  /** Kinds of work a goal may ask for, in the order in which their members stand. */
  readonly workKinds: readonly WorkKind[];
  /** Goals as people type them, with the kinds of work they ask for. */
  readonly goalExamples: readonly GoalExample[];
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

/*
 * What stands in the files of the catalog. Field names are those of the files, so that an error, a file and the code
 * say the same word. Unknown keys are refused: a mistyped field must not silently mean nothing.
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
  /** `cast` can be proposed; `builtin` joins every team by itself. */
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
  /** Words that say nothing about the work. */
  stop_words: z.array(word).check(z.maxLength(2_000)),
  /** A word of a goal → the words of the catalog it also stands for. */
  synonyms: z.record(word, z.array(word).check(z.minLength(1), z.maxLength(50))),
  /** A language → its words → the English words or phrase of a kind of work that each is read as. */
  languages: z.record(identifier, z.record(word, word)),
});
export type Lexicon = z.infer<typeof lexiconSchema>;

const workKindSchema = z.strictObject({
  id: identifier,
  title: line,
  /** Verbs that are this kind of work, whatever they are done to. */
  verbs: z.array(word).check(z.maxLength(200)),
  /** Verbs that count only where nothing else says what kind it is. */
  making: z.array(word).check(z.maxLength(200)),
  /** Words that say it wherever they stand: "the page freezes when …". */
  signs: z.array(word).check(z.maxLength(500)),
  /** What such work makes or is about; several words are a phrase. */
  things: z.array(word).check(z.maxLength(1_000)),
  /** The domains whose people come along where it is done to what they make. */
  beside: z.array(identifier).check(z.minLength(1), z.maxLength(20)),
  /** The domains to whose work it is an extra: "a library *with tests*". */
  extra_to: z.array(identifier).check(z.maxLength(20)),
  /** Who does it, first whoever does the work itself. */
  team: z.array(identifier).check(z.minLength(1), z.maxLength(20)),
});
export const workKindsSchema = z.strictObject({ kinds: z.array(workKindSchema).check(z.maxLength(200)) });
export type WorkKind = z.infer<typeof workKindSchema>;

export const goalExampleLinesSchema = z.array(z.string().check(z.maxLength(600))).check(z.maxLength(20_000));

export interface GoalExample {
  readonly goal: string;
  /** Ids of kinds of work, first what is mainly asked for. */
  readonly kinds: readonly string[];
}

const signalRuleSchema = z.strictObject({ signal: z.string(), archetype: identifier, reason: line });
export const signalRulesSchema = z.strictObject({
  rules: z.array(signalRuleSchema).check(z.minLength(1), z.maxLength(500)),
});
export type SignalRule = z.infer<typeof signalRuleSchema>;

/** Version and display order. What the manifest does not name is not part of the catalog. */
export const manifestSchema = z.strictObject({
  version: z.union([z.string().check(z.minLength(1), z.maxLength(40)), z.number()]),
  archetypes: z.array(identifier).check(z.minLength(1), z.maxLength(500)),
  groupings: z.array(identifier).check(z.maxLength(100)),
  universes: z.array(identifier).check(z.minLength(1), z.maxLength(100)),
  workflows: z.array(identifier).check(z.maxLength(100)),
});
export type Manifest = z.infer<typeof manifestSchema>;
