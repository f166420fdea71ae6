import * as z from 'zod/mini';
import { TroupeError } from '#kernel/errors.js';
import { describeIssue, explainIssue } from '#kernel/issues.js';
import { SWEEP_LIMITS } from '#kernel/limits/sweep.js';
import { cut, inert } from '#kernel/text.js';
import { foldedText } from './folded-text.js';

/** Schema of the entries of a sweep: one root list. Optional fields may be omitted, and nothing may be invented. */
export interface SweepSchema {
  readonly root: string;
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

/** A part of the search space, with keys that no other slice owns. */
export interface Slice {
  readonly name: string;
  readonly owns: readonly string[];
  /** Question for its scout, in addition to the goal. */
  readonly question: string | undefined;
}

/** Division of a sweep, given by a person. */
export interface Partition {
  readonly schema: SweepSchema;
  readonly slices: readonly Slice[];
  /** Unusual properties; they are not errors. */
  readonly warnings: readonly string[];
}

/** Without these fields, an entry can be neither identified nor verified. */
const IDENTITY = ['id', 'title', 'source'] as const;

export const USUAL_SCHEMA: SweepSchema = {
  root: 'entries',
  required: [...IDENTITY, 'claim'],
  optional: ['quote', 'date', 'note'],
};

const field = z.string().check(z.regex(/^[a-z][a-z0-9_]*$/), z.maxLength(SWEEP_LIMITS.fieldCharacters));
const key = z.string().check(z.minLength(1), z.maxLength(SWEEP_LIMITS.keyCharacters));
const PARTITION = z.strictObject({
  schema: z.optional(
    z.strictObject({
      root: z.optional(field),
      required: z.array(field).check(z.maxLength(SWEEP_LIMITS.requiredFields)),
      optional: z.optional(z.array(field).check(z.maxLength(SWEEP_LIMITS.optionalFields))),
    }),
  ),
  slices: z
    .array(
      z.strictObject({
        name: z.string().check(z.regex(/^[a-z][a-z0-9-]{0,63}$/)),
        owns: z.array(key).check(z.minLength(1), z.maxLength(SWEEP_LIMITS.sliceKeys)),
        question: z.optional(z.string().check(z.maxLength(SWEEP_LIMITS.valueCharacters))),
      }),
    )
    .check(z.minLength(SWEEP_LIMITS.slicesLeast), z.maxLength(SWEEP_LIMITS.slicesMost)),
});

/** Parses and validates a person's slices. Errors: `bad_input`, `slices_overlap`. */
export function readPartition(data: unknown, file: string): Partition {
  const parsed = PARTITION.safeParse(data);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const why = issue === undefined ? 'is not valid' : describeIssue(explainIssue(issue, data), 'the file');
    throw new TroupeError('bad_input', {
      what: `${inert(file)}: ${why}.`,
      hint: 'See docs/guide/panels.md.',
    });
  }
  const { schema, slices } = parsed.data;
  return partitionOf(
    slices.map(({ name, owns, question }) => ({ name, owns, question })),
    schema === undefined
      ? USUAL_SCHEMA
      : { root: schema.root ?? USUAL_SCHEMA.root, required: schema.required, optional: schema.optional ?? [] },
  );
}

/** Validates disjoint slices and a schema. Errors: `bad_input`, `slices_overlap`. */
export function partitionOf(slices: readonly Slice[], schema: SweepSchema): Partition {
  const { slicesLeast, slicesMost, slicesUsualLeast, slicesUsualMost } = SWEEP_LIMITS;
  if (slices.length < slicesLeast || slices.length > slicesMost)
    throw bad(`A sweep has ${slicesLeast} to ${slicesMost} slices, not ${slices.length}.`);
  checkSchema(schema);
  checkDisjoint(slices);
  const usual = slices.length >= slicesUsualLeast && slices.length <= slicesUsualMost;
  const warnings = usual
    ? []
    : [`${slices.length} slices: ${slicesUsualLeast} to ${slicesUsualMost} are usual: fewer hide gaps, more overlap.`];
  return { schema, slices, warnings };
}

function checkSchema({ required, optional }: SweepSchema): void {
  const absent = IDENTITY.find((name) => !required.includes(name));
  if (absent !== undefined) throw bad(`The schema requires id, title and source of an entry; ${absent} is missing.`);
  if (required.length > SWEEP_LIMITS.requiredFields)
    throw bad(`A schema requires at most ${SWEEP_LIMITS.requiredFields} fields, not ${required.length}.`);
  const fields = [...required, ...optional];
  const double = fields.find((name, index) => fields.indexOf(name) !== index);
  if (double !== undefined) throw bad(`The schema names the field ${double} twice.`);
}

function checkDisjoint(slices: readonly Slice[]): void {
  const owners = new Map<string, string>();
  const names = new Set<string>();
  for (const { name, owns } of slices) {
    if (names.has(name)) throw overlap(`There are two slices called ${name}.`, { slices: [name, name] });
    names.add(name);
    for (const owned of owns) {
      const folded = foldedText(owned);
      const owner = owners.get(folded);
      if (owner !== undefined && owner !== name) {
        const what = `${owner} and ${name} both own ${JSON.stringify(cut(inert(owned), 60))}.`;
        throw overlap(what, { key: owned, slices: [owner, name] });
      }
      owners.set(folded, name);
    }
  }
}

function overlap(what: string, details: Readonly<Record<string, unknown>>): TroupeError {
  return new TroupeError('slices_overlap', { what, details });
}

function bad(what: string): TroupeError {
  return new TroupeError('bad_input', { what, hint: 'See docs/guide/panels.md.' });
}

/**
 * Text of the schema, identical for every scout. YAML that is readable without a parser: comments state the rules, the
 * example has every field.
 */
export function schemaText({ root, required, optional }: SweepSchema): string {
  return [
    '# What a scout hands in: one list, an entry a thing that was discovered.',
    '# Omit rather than invent: a field that is not required and not known is left out, and an entry that lacks a required',
    '# field is not handed in at all.',
    '# id: lower-case letters, digits and hyphens, made of the title alone, so that two scouts call one thing the same.',
    `root: ${root}`,
    `required: [${required.join(', ')}]`,
    `optional: [${optional.join(', ')}]`,
    '',
  ].join('\n');
}
