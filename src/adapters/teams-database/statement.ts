import type { Queried } from '#kernel/query.js';

export type Value = string | number | null | Uint8Array;

/**
 * Statement valid in SQLite and PostgreSQL, as plain data: parts of its text, with a value between each two. `Row` is
 * the type of its result rows.
 */
export interface Statement<Values, Row> {
  readonly text: readonly string[];
  /** Names of the values, in the order of the gaps between the parts. */
  readonly of: readonly (keyof Values & string)[];
  /** Whether it returns rows. */
  readonly answers: boolean;
  readonly row?: Row;
}

/** Row type of a statement. */
export type RowOf<Asked> = Asked extends Statement<never, infer Row> ? Row : never;

/** Statement with its values. */
export interface BoundStatement {
  readonly text: readonly string[];
  readonly answers: boolean;
  readonly values: readonly Value[];
}

/** Computation that yields statements and is resumed with their rows. The database may be synchronous or remote. */
export type Statements<Result> = Generator<BoundStatement, Result, readonly unknown[]>;

export function* perform<Values extends Readonly<Record<keyof Values, Value>>, Row>(
  { text, of, answers }: Statement<Values, Row>,
  values: Values,
): Statements<readonly Row[]> {
  return (yield { text, answers, values: of.map((name) => values[name]) }) as readonly Row[];
}

/** Performs a statement that counts: it always returns one row. */
export function* performCount<Values extends Readonly<Record<keyof Values, Value>>>(
  statement: Statement<Values, { readonly count: number }>,
  values: Values,
): Statements<number> {
  const [row] = yield* perform(statement, values);
  return row?.count ?? 0;
}

/** Queries of a store, each implemented by statements. */
export type AnsweredBy<Answers> = {
  readonly [Name in keyof Answers]: Answers[Name] extends (...of: infer Of) => infer Answer
    ? (...of: Of) => Statements<Answer>
    : never;
};

/** Runs a decision to completion with answers from a database. Errors of both are rethrown. */
export function* runDecision<Answers extends object, Result>(
  decision: Queried<Result>,
  answers: AnsweredBy<Answers>,
): Statements<Result> {
  const byName = answers as Readonly<Record<string, (...of: readonly unknown[]) => Statements<unknown>>>;
  let step = decision.next();
  while (!step.done) {
    const { name, of } = step.value;
    const answer = byName[name];
    if (answer === undefined) throw new Error(`Nobody answers the query ${name}.`);
    step = decision.next(yield* answer(...of));
  }
  return step.value;
}
