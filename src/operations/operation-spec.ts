import type { ModelPurpose } from '#core/settings/model-choice.js';
import { isJsonObject } from '#kernel/json.js';
import type { Group } from './groups.js';
import type { InputOf, Operation } from './operation.js';

/** What a word is the name of; completion offers those there are. */
export type Names = 'task' | 'member' | 'workflow' | 'command';

export interface ArgumentSpec<Field extends string = string> {
  /** The input field it fills. */
  readonly field: Field;
  readonly summary: string;
  readonly required?: boolean;
  readonly names?: Names;
  /** The only words it takes, when there are few; any other is refused before anything is done. */
  readonly values?: readonly string[];
  /** Takes all remaining words, as a list. */
  readonly many?: boolean;
  /** The value names a file that is written. */
  readonly writes?: true;
  /** The value is a path from the folder it is typed in; `if-like-one`: unless it is a plain name. */
  readonly path?: 'always' | 'if-like-one';
}

/** `list` may be repeated and takes commas; `each` may be repeated and takes its word as it is; `switch` takes no value. */
export type OptionType = 'text' | 'number' | 'list' | 'each' | 'switch';

export interface OptionSpec<Field extends string = string, Type extends OptionType = OptionType> {
  /** As typed, without dashes: `after`. */
  readonly flag: string;
  readonly short?: string;
  /** Other spellings of the same flag. */
  readonly aliases?: readonly string[];
  readonly field: Field;
  readonly type: Type;
  /** The value is a path from the folder it is typed in; `if-like-one`: unless it is a plain name. */
  readonly path?: 'always' | 'if-like-one';
  /** The value names a file that is written: who may write where, `keepOutput` says. */
  readonly writes?: true;
  /** How the value is named in help: `ID`, `DURATION`. */
  readonly value?: string;
  /** The only values it takes, when there are few; any other is refused before anything is done. */
  readonly values?: readonly string[];
  readonly names?: Names;
  readonly summary: string;
}

/** Beside every flag that names a file to be written. */
export const REPLACE = {
  flag: 'force',
  field: 'force',
  type: 'switch',
  summary: 'Overwrite an existing file',
} as const satisfies OptionSpec;

/** A question to a model that a call may cause, as plain data. */
export interface AsksModel<Field extends string = string> {
  readonly purpose: ModelPurpose;
  /** Only where this field is set. */
  readonly when?: Field;
  /** Not where one of these fields has this value. */
  readonly unless?: readonly (readonly [field: Field, value: unknown])[];
  /** How it is called without a model, as typed. */
  readonly without?: string;
}

/** How an operation looks from outside, as plain data: help, completion and routes are made from it without loading it. */
export interface OperationSpec<Input = unknown, Parsed = unknown, Answer = unknown> {
  readonly name: string;
  /** The words on the command line: `add`, `cast analyze`. */
  readonly command: string;
  /** Fewer words that mean the same where no further word follows them: flags may. */
  readonly shorter?: string;
  readonly group: Group;
  readonly summary: string;
  readonly arguments?: readonly ArgumentSpec[];
  readonly options?: readonly OptionSpec[];
  /** Two commands that work when pasted. */
  readonly examples: readonly string[];
  /** Reads may be asked with GET; writes change state. */
  readonly kind: 'read' | 'write';
  /**
   * What a run may do with a write; one without this is for people. `own`: to the task it holds and to those it made, named
   * by the field `id`; `any`: it names no task, or looks for itself at who asks.
   */
  readonly forRuns?: 'own' | 'any';
  /**
   * Where it runs: `engine` (default) goes to the running service, which holds the graph in memory, and falls back to
   * this process; `caller` always runs in the calling process, because it is long or touches no shared state.
   */
  readonly where?: 'engine' | 'caller';
  /** `here`: the folder it is typed in, not the project around it. */
  readonly place?: 'here';
  /** It needs a coordinator: where no service is, one is opened for this call, and starts nothing else. */
  readonly coordinator?: true;
  /** It may put a question to a model; whoever calls it is told first to whom. */
  readonly asks?: AsksModel;
  /** The event by which it says how far it is. */
  readonly tells?: string;
  /** It may write outside of `.squad/`: it takes `clients` and `outside` (`casting/outside-files.ts`), and is called by them. */
  readonly writesOutside?: true;
  /** It says what the machine trusts at which it runs: nobody at another machine may. */
  readonly trusts?: true;
  /** It works where there is no graph too. */
  readonly graphless?: true;
  load(): Promise<Operation<string, Input, Parsed, Answer>>;
}

/** Something that can be asked for, as far as it decides who may: the rows of all tables have these fields. */
export type Act = Pick<OperationSpec, 'command' | 'kind' | 'forRuns'>;

/** Whether only a person may do this: it changes something, and no row opens it to runs. */
export function isActOfPerson({ kind, forRuns }: Act): boolean {
  return kind === 'write' && forRuns === undefined;
}

/** Of inputs of several forms, the fields of all. */
type FieldOf<Input> = Input extends unknown ? keyof Input & string : never;
type ValueOf<Input, Field> = Input extends unknown ? (Field extends keyof Input ? Input[Field] : never) : never;

/** The types of options whose words become what a field takes. */
type OptionTypeOf<Value> = Value extends boolean
  ? 'switch'
  : Value extends number
    ? 'number'
    : Value extends string
      ? 'text'
      : Value extends readonly unknown[]
        ? 'list' | 'each'
        : never;
type OptionOf<Input> = {
  [Field in FieldOf<Input>]: OptionSpec<Field, OptionTypeOf<ValueOf<Input, Field>>>;
}[FieldOf<Input>];

/** How one operation looks from outside: under its own name, with flags and arguments for the fields of its input and no others. */
export interface SpecOf<Verb extends Operation> extends OperationSpec {
  readonly name: Verb['name'];
  readonly arguments?: readonly ArgumentSpec<FieldOf<InputOf<Verb>>>[];
  readonly options?: readonly OptionOf<InputOf<Verb>>[];
  readonly asks?: AsksModel<FieldOf<InputOf<Verb>>>;
  load(): Promise<Verb>;
}

/** Holds each row to the operation it loads, and keeps which that is; also one row alone. */
export function operationSpecs<Verbs extends readonly Operation[]>(
  rows: readonly [...{ [Index in keyof Verbs]: SpecOf<Verbs[Index]> }],
): readonly SpecOf<Verbs[number]>[];
export function operationSpecs<Verb extends Operation>(row: SpecOf<Verb>): SpecOf<Verb>;
export function operationSpecs(rows: unknown): unknown {
  return rows;
}

/** Does this input ask for a file to be written where it says? Then it matters who asks, also of what only reads the graph. */
export function asksForFile(spec: OperationSpec, input: unknown): boolean {
  const named = [...(spec.options ?? []), ...(spec.arguments ?? [])].filter(({ writes }) => writes === true);
  const fields = isJsonObject(input) ? input : {};
  return named.some(({ field }) => Object.hasOwn(fields, field));
}
