import type { InputOf, OutputOf } from '#operations/operation.js';
import type { ORPHANS } from '#operations/runs/specs.js';
import type { Table } from '#operations/table.js';
import type { LAND, LANDING } from '#operations/worktrees/specs.js';

/** Those that are called by their names. */
export type TableName = Table[number]['name'];

/** Those of the table, and the few that only a command asks for. */
type Specs = Table[number] | typeof ORPHANS | typeof LANDING | typeof LAND;
type Verbs = Awaited<ReturnType<Specs['load']>>;

/**
 * What each operation is given and what it answers, by its name: worked out of the tables, which the compiler holds to the
 * operations they load. Whoever calls one, over whatever line, has its types from here. Types only: nothing is loaded.
 */
export type OperationMap = {
  readonly [Verb in Verbs as Verb['name']]: { readonly input: InputOf<Verb>; readonly output: OutputOf<Verb> };
};

export type OperationName = keyof OperationMap;
export type Input<Name extends OperationName> = OperationMap[Name]['input'];
export type Output<Name extends OperationName> = OperationMap[Name]['output'];
