import type { core } from 'zod/mini';
import { clone } from 'zod/mini';
import type { Operation } from './operation.js';
import type { ArgumentSpec, OperationSpec, OptionSpec, OptionType } from './operation-spec.js';

/** Attributes of a positional argument that its schema does not state. */
export type ArgumentWords = Pick<ArgumentSpec, 'names' | 'path' | 'writes'>;

/** Attributes of a flag that neither the name of its field nor its schema states. */
export interface OptionWords extends Pick<OptionSpec, 'aliases' | 'names' | 'path' | 'short' | 'value' | 'writes'> {
  /** Name without dashes; default: the name of the field. */
  readonly flag?: string;
  /** May be repeated and does not split at commas. */
  readonly each?: true;
}

type Words =
  | { readonly place: 'argument'; readonly summary: string; readonly more: ArgumentWords }
  | { readonly place: 'option'; readonly summary: string; readonly more: OptionWords };

const WORDS = new WeakMap<core.$ZodType, readonly Words[]>();

/** Makes a field of an input a positional argument. Arguments are in the order of their fields. */
export function argument<Schema extends core.$ZodType>(
  summary: string,
  schema: Schema,
  more: ArgumentWords = {},
): Schema {
  return worded(schema, { place: 'argument', summary, more });
}

/**
 * Makes a field of an input a flag; around an argument, either may set the field. Fields without words are only accepted
 * from programs.
 */
export function option<Schema extends core.$ZodType>(summary: string, schema: Schema, more: OptionWords = {}): Schema {
  return worded(schema, { place: 'option', summary, more });
}

/** A copy with its words: schemas are shared between fields. */
function worded<Schema extends core.$ZodType>(schema: Schema, words: Words): Schema {
  const own = clone(schema);
  WORDS.set(own, [...(WORDS.get(schema) ?? []), words]);
  return own;
}

/** Row of an operation in the table, without its module. */
export function rowOf({ input, output: _output, run: _run, ...declaration }: Operation): Omit<OperationSpec, 'load'> {
  return { ...declaration, ...fieldSpecs(input) };
}

/** Arguments and flags of an input, in the order of its fields. */
function fieldSpecs(input: core.$ZodType): { arguments: ArgumentSpec[]; options: OptionSpec[] } {
  const specs: { arguments: ArgumentSpec[]; options: OptionSpec[] } = { arguments: [], options: [] };
  for (const [field, schema] of Object.entries(shapeOf(input))) {
    const places = WORDS.get(schema) ?? [];
    const isRequired = places.length === 1 && !isOptional(schema);
    for (const words of places)
      if (words.place === 'argument') specs.arguments.push(argumentSpec(field, schema, words, isRequired));
      else specs.options.push(optionSpec(field, schema, words));
  }
  return specs;
}

/** Fields of an object, also within unions and pipes. */
function shapeOf(input: core.$ZodType): Readonly<Record<string, core.$ZodType>> {
  const { def } = (input as core.$ZodTypes)._zod;
  if (def.type === 'object') return def.shape;
  if (def.type === 'union') return Object.assign({}, ...def.options.map(shapeOf));
  if (def.type === 'pipe') return shapeOf(def.in);
  return {};
}

function argumentSpec(field: string, schema: core.$ZodType, { summary, more }: Words, required: boolean): ArgumentSpec {
  const isMany = typeOf(schema) === 'list';
  const values = valuesOf(schema);
  return {
    field,
    summary,
    ...(required ? { required } : {}),
    ...(isMany ? { many: true } : {}),
    ...(values ? { values } : {}),
    ...(more as ArgumentWords),
  };
}

function optionSpec(field: string, schema: core.$ZodType, { summary, more }: Words): OptionSpec {
  const { flag = field.replaceAll('_', '-'), each, ...others } = more as OptionWords;
  const values = valuesOf(schema);
  return { flag, field, type: each ? 'each' : typeOf(schema), ...(values ? { values } : {}), ...others, summary };
}

const isOptional = (schema: core.$ZodType): boolean => schema._zod.optin === 'optional';

/** The schema without the wrappers that make it optional. */
function innermost(schema: core.$ZodType): core.$ZodTypes {
  const { def } = (schema as core.$ZodTypes)._zod;
  if ('innerType' in def) return innermost(def.innerType);
  if (def.type === 'pipe') return innermost(def.in);
  return schema as core.$ZodTypes;
}

function typeOf(schema: core.$ZodType): OptionType {
  const { type } = innermost(schema)._zod.def;
  return type === 'boolean' ? 'switch' : type === 'number' ? 'number' : type === 'array' ? 'list' : 'text';
}

/** The only accepted values, of a field or of each entry of its list. */
function valuesOf(schema: core.$ZodType): readonly string[] | undefined {
  const { def } = innermost(schema)._zod;
  if (def.type === 'array') return valuesOf(def.element);
  return def.type === 'enum' ? Object.values(def.entries).map(String) : undefined;
}
