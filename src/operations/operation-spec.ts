import { isJsonObject } from '#kernel/json.js';
import { type Declaration, needsProof } from './declaration.js';
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

/**
 * Row of the table of operations: its declaration with the arguments and flags of its input, as plain data. Help,
 * completion and routes are generated from it without loading the operation. `tooling/operations.mjs` writes the rows.
 */
export interface OperationSpec<Input = unknown, Parsed = unknown, Answer = unknown> extends Declaration {
  readonly arguments?: readonly ArgumentSpec[];
  readonly options?: readonly OptionSpec[];
  load(): Promise<Operation<string, Input, Parsed, Answer>>;
}

/** Whether an input asks for a file to be written. Then the permission of the caller matters, even for a read. */
export function asksForFile(spec: OperationSpec, input: unknown): boolean {
  const named = [...(spec.options ?? []), ...(spec.arguments ?? [])].filter(({ writes }) => writes === true);
  const fields = isJsonObject(input) ? input : {};
  return named.some(({ field }) => Object.hasOwn(fields, field));
}

/** Whether a claim of the caller suffices: the call only looks, and writes no file. */
export function onlyLooks(spec: OperationSpec, input: unknown): boolean {
  return !needsProof(spec) && !asksForFile(spec, input);
}

/** Fields that state an identity, grant trust or bypass a rule. */
const DECIDING_FIELDS = ['actor', 'from', 'force', 'trust', 'input_file', 'include_peers'];
/** Fields that set a command, a dependency on one, or a rule of the project. */
const COMMANDING_FIELDS = ['exec', 'verify_cmd', 'override', 'cast', 'dependenciesFrom'];

/** Whether a field of an operation is closed to every agent, also to one that may call the operation. */
export function isDeciding(field: string): boolean {
  return DECIDING_FIELDS.includes(field);
}

/**
 * Whether only the person may set a field: neither a program of lesser scope nor a client that reads foreign text may
 * name files of this machine, set commands or bypass a rule.
 */
export function isForOwner(spec: OperationSpec, field: string): boolean {
  const namesFile = [...(spec.options ?? []), ...(spec.arguments ?? [])].some(
    (one) => one.field === field && (one.path ?? one.writes) !== undefined,
  );
  return namesFile || (spec.kind === 'write' && (isDeciding(field) || COMMANDING_FIELDS.includes(field)));
}
