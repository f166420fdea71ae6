import type { ModelPurpose } from '#core/settings/model-choice.js';
import { isJsonObject } from '#kernel/json.js';
import type { Group } from './groups.js';
import type { Operation } from './operation.js';

/** Kind of the names that an argument accepts; shell completion offers the existing ones. */
export type Names = 'task' | 'member' | 'workflow' | 'command';

export interface ArgumentSpec {
  /** Input field that it sets. */
  readonly field: string;
  readonly summary: string;
  readonly required?: boolean;
  readonly names?: Names;
  /** The only accepted values, if there are few; others are rejected before anything is done. */
  readonly values?: readonly string[];
  /** Whether it takes all remaining arguments, as a list. */
  readonly many?: boolean;
  /** The value is the path of a file to be written. */
  readonly writes?: true;
  /** The value is a path relative to the working directory; `if-like-one`: unless it is a plain name. */
  readonly path?: 'always' | 'if-like-one';
}

/** `list` may be repeated and splits at commas; `each` may be repeated and does not split; `switch` takes no value. */
export type OptionType = 'text' | 'number' | 'list' | 'each' | 'switch';

export interface OptionSpec {
  /** Name without dashes, for example `after`. */
  readonly flag: string;
  readonly short?: string;
  /** Alternative names of the flag. */
  readonly aliases?: readonly string[];
  readonly field: string;
  readonly type: OptionType;
  /** The value is a path relative to the working directory; `if-like-one`: unless it is a plain name. */
  readonly path?: 'always' | 'if-like-one';
  /** The value is the path of a file to be written; `keepOutput` checks the permission. */
  readonly writes?: true;
  /** Placeholder of the value in help, for example `ID` or `DURATION`. */
  readonly value?: string;
  /** The only accepted values, if there are few; others are rejected before anything is done. */
  readonly values?: readonly string[];
  readonly names?: Names;
  readonly summary: string;
}

/** A question to a model that a call may cause, as plain data. */
export interface AsksModel<Field extends string = string> {
  readonly purpose: ModelPurpose;
  /** Asked only if this field is set. */
  readonly when?: Field;
  /** Not asked if one of these fields has this value. */
  readonly unless?: readonly (readonly [field: Field, value: unknown])[];
  /** Arguments, as typed, that avoid the model. */
  readonly without?: string;
}

/** Plain data of an operation for people and surfaces, next to its schemas and its code. */
export interface Declaration<Name extends string = string> {
  readonly name: Name;
  /** Command words, for example `add` or `cast analyze`. */
  readonly command: string;
  /** Shorter form of the command, valid if no argument follows; flags may follow. */
  readonly shorter?: string;
  readonly group: Group;
  readonly summary: string;
  /** Two commands that work when pasted. */
  readonly examples: readonly string[];
  /** Reads are allowed with GET; writes change state. */
  readonly kind: 'read' | 'write';
  /**
   * Permission for runs to call a write; undefined for people only. `own`: for tasks that the run holds or created,
   * named by the field `id`; `any`: it names no task, or checks the caller itself.
   */
  readonly forRuns?: 'own' | 'any';
  /**
   * Process that executes it. `engine` (default): the running service, which holds the graph in memory, or else this
   * process. `caller`: always the calling process, because it takes long or touches no shared state.
   */
  readonly where?: 'engine' | 'caller';
  /** `here`: it applies to the working directory, not to the project around it. */
  readonly place?: 'here';
  /** It needs a coordinator: without a service, one is created for this call, which starts nothing else. */
  readonly coordinator?: true;
  /** It may ask a model; the caller is first told which one. */
  readonly asks?: AsksModel;
  /** Name of its progress event. */
  readonly tells?: string;
  /**
   * It may write outside of `.squad/`: it takes the fields `clients` and `outside` (`squad/outside-files.ts`), and is
   * called with them.
   */
  readonly writesOutside?: true;
  /** It changes the trust of the machine that executes it, so it is rejected from other machines. */
  readonly trusts?: true;
  /** It works without a graph. */
  readonly graphless?: true;
  /** It has no command of its own: pages and other commands call it by name. */
  readonly unlisted?: true;
}

/**
 * Row of the table of operations: its declaration with the arguments and flags of its input, as plain data. Help,
 * completion and routes are generated from it without loading the operation. `tooling/operations.mjs` writes the rows.
 */
export interface OperationSpec<Input = unknown, Parsed = unknown, Answer = unknown> extends Declaration {
  readonly arguments?: readonly ArgumentSpec[];
  readonly options?: readonly OptionSpec[];
  load(): Promise<Operation<string, Input, Parsed, Answer>>;
}

/** The part of an operation or request that determines who may use it. The rows of all tables have these fields. */
export type Act = Pick<Declaration, 'command' | 'kind' | 'forRuns'>;

/** Whether only a person may use it: it is a write, and no spec allows it to runs. */
export function isForPeopleOnly({ kind, forRuns }: Act): boolean {
  return kind === 'write' && forRuns === undefined;
}

/** Whether an input asks for a file to be written. Then the permission of the caller matters, even for a read. */
export function asksForFile(spec: OperationSpec, input: unknown): boolean {
  const named = [...(spec.options ?? []), ...(spec.arguments ?? [])].filter(({ writes }) => writes === true);
  const fields = isJsonObject(input) ? input : {};
  return named.some(({ field }) => Object.hasOwn(fields, field));
}
