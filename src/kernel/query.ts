/** A query to a store, as data: its name among those of the store, and its arguments. */
export interface Query {
  readonly name: string;
  readonly of: readonly unknown[];
}

/**
 * A computation that yields queries, each resumed with its answer. It calls nothing itself, so whoever keeps the answers may give them
 * at once or after a round trip, and may begin it again after a conflict.
 */
export type Queried<Result> = Generator<Query, Result, unknown>;

/** The queries of a store, each as the computation that makes it. `Answers` maps names to functions from arguments to the answer. */
export type Queries<Answers> = {
  readonly [Name in keyof Answers]: Answers[Name] extends (...of: infer Of) => infer Answer
    ? (...of: Of) => Queried<Answer>
    : never;
};

/** Makes the queries of a store from their names. */
export function queriesOf<Answers>(names: Readonly<Record<keyof Answers & string, true>>): Queries<Answers> {
  const made = Object.keys(names).map((name) => [name, (...of: readonly unknown[]) => query({ name, of })]);
  return Object.fromEntries(made) as Queries<Answers>;
}

function* query(one: Query): Queried<unknown> {
  return yield one;
}

/** A computation that has its result and makes no query. */
export function* withoutQueries<Result>(result: Result): Queried<Result> {
  yield* NO_QUERIES;
  return result;
}

const NO_QUERIES: readonly Query[] = [];
