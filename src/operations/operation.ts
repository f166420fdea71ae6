import type { core } from 'zod/mini';
import type { Issue } from '#kernel/issues.js';
import type { ModelContext, ProjectContext } from './contexts.js';
import type { AsksModel, Declaration } from './declaration.js';
import type { ResourceAddress } from './resource-address.js';

/**
 * All groups. Created in `main/compose.ts`; the getters load their modules on first use. An operation and its helpers
 * take the groups that they use.
 */
export interface Context extends ProjectContext, ModelContext {}

/** A schema with the types of its input and of the parsed value, as operations need them. */
export interface Schema<Input = unknown, Value = unknown> extends core.$ZodType<Value, Input> {
  safeParse(value: unknown): { success: true; data: Value } | { success: false; error: { issues: readonly Issue[] } };
}

/**
 * One operation: loads data, calls core functions, commits. It is declared here alone: command line, help, completion,
 * socket, HTTP and MCP follow from it. `option` and `argument` of `fields.ts` put the fields of its input on the command
 * line.
 */
export interface Operation<
  Name extends string = string,
  Input = unknown,
  Parsed = unknown,
  Answer = unknown,
  Needs = Context,
> extends Declaration<Name> {
  readonly input: Schema<Input, Parsed>;
  readonly output: Schema<unknown, Answer>;
  run(context: Needs, input: Parsed): Promise<Answer>;
}

/** Input of an operation, before parsing. */
export type InputOf<Verb extends Operation> = core.input<Verb['input']>;
/** Answer of an operation. */
export type OutputOf<Verb extends Operation> = core.output<Verb['output']>;

/**
 * Defines an operation with inferred types: its schemas determine the types of input and answer, and the declared type
 * of the context of `run` determines what it can access.
 */
export function operation<const Name extends string, Input, Parsed, Answer, Needs>(
  definition: Omit<Operation<Name, Input, Parsed, Answer>, 'run' | 'asks' | 'resource'> & {
    readonly asks?: AsksModel<FieldOf<NoInfer<Input>>>;
    readonly resource?: readonly ResourceAddress<FieldOf<NoInfer<Input>>>[];
    run(context: Needs, input: NoInfer<Parsed>): Promise<NoInfer<Answer>>;
  },
): Operation<Name, Input, Parsed, Answer, Needs> {
  return definition;
}

/** Fields of all members of a union of inputs. */
type FieldOf<Input> = Input extends unknown ? keyof Input & string : never;
