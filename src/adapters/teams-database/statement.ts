import type { Queried } from '#kernel/query.js';

export type Value = string | number | null | Uint8Array;

/**
 * One statement that SQLite and PostgreSQL both understand, as plain data: its text in pieces, between which its values stand. `Row` is
 * the type of the rows it answers.
 */
export interface Statement<Values, Row> {
  readonly text: readonly string[];
  /** The value that stands after each piece but the last, by its name. */
  readonly of: readonly (keyof Values & string)[];
  /** Whether it answers rows. */
  readonly answers: boolean;
  readonly row?: Row;
}

/** The rows that a statement answers. */
export type RowOf<Asked> = Asked extends Statement<never, infer Row> ? Row : never;

/** A statement with its values, as a database is asked. */
export interface Asked {
  readonly text: readonly string[];
  readonly answers: boolean;
  readonly values: readonly Value[];
}

/** A computation that yields statements, each resumed with its rows. The database behind it may answer at once or after a round trip. */
export type Statements<Result> = Generator<Asked, Result, readonly unknown[]>;

export function* perform<Values extends Readonly<Record<keyof Values, Value>>, Row>(
  { text, of, answers }: Statement<Values, Row>,
  values: Values,
): Statements<readonly Row[]> {
  return (yield { text, answers, values: of.map((name) => values[name]) }) as readonly Row[];
}

/** The queries of a store, each as the statements that answer it. */
export type AnsweredBy<Answers> = {
  readonly [Name in keyof Answers]: Answers[Name] extends (...of: infer Of) => infer Answer
    ? (...of: Of) => Statements<Answer>
    : never;
};

/** Runs a decision to its end with answers from a database. An error of either is thrown on. */
export function* decided<Answers extends object, Result>(
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
