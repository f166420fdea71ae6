import type { InputOf, OutputOf } from '#operations/operation.js';
import type { Table } from '#operations/table.js';

/** Names of the operations. */
export type OperationName = Table[number]['name'];

type Verbs = Awaited<ReturnType<Table[number]['load']>>;

/**
 * Input and output types of each operation, by its name. Callers over any transport take their types from here. Types
 * only: nothing is loaded.
 */
export type OperationMap = {
  readonly [Verb in Verbs as Verb['name']]: { readonly input: InputOf<Verb>; readonly output: OutputOf<Verb> };
};

export type Input<Name extends OperationName> = OperationMap[Name]['input'];
export type Output<Name extends OperationName> = OperationMap[Name]['output'];
