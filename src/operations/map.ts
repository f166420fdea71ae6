import type { InputOf, OutputOf } from '#operations/operation.js';
import type { ORPHANS } from '#operations/runs/specs.js';
import type { Table } from '#operations/table.js';
import type { LAND, LANDING } from '#operations/worktrees/specs.js';

/** Names of the operations that can be called by name. */
export type TableName = Table[number]['name'];

/** Operations of the table, and a few that have only a command. */
type Specs = Table[number] | typeof ORPHANS | typeof LANDING | typeof LAND;
type Verbs = Awaited<ReturnType<Specs['load']>>;

/**
 * Input and output types of each operation, by its name, derived from the tables, which the compiler checks against the
 * operations. Callers over any transport take their types from here. Types only: nothing is loaded.
 */
export type OperationMap = {
  readonly [Verb in Verbs as Verb['name']]: { readonly input: InputOf<Verb>; readonly output: OutputOf<Verb> };
};

export type OperationName = keyof OperationMap;
export type Input<Name extends OperationName> = OperationMap[Name]['input'];
export type Output<Name extends OperationName> = OperationMap[Name]['output'];
