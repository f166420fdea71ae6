/** A query to a store, as data: its name among those of the store, and its arguments. */
export interface Query {
  readonly name: string;
  readonly of: readonly unknown[];
}

/**
 * A computation that yields queries and is resumed with their answers. It performs no calls itself, so its runner may
 * answer at once or after a round trip, and may restart it after a conflict.
 */
export type Queried<Result> = Generator<Query, Result, unknown>;

/**
 * Queries of a store, each as a computation that yields it. `Answers` maps names to functions from arguments to the
 * answer.
 */
export type Queries<Answers> = {
  readonly [Name in keyof Answers]: Answers[Name] extends (...of: infer Of) => infer Answer
    ? (...of: Of) => Queried<Answer>
    : never;
};

/** Creates the queries of a store from their names. */
export function queriesOf<Answers>(names: Readonly<Record<keyof Answers & string, true>>): Queries<Answers> {
  const made = Object.keys(names).map((name) => [name, (...of: readonly unknown[]) => query({ name, of })]);
  return Object.fromEntries(made) as Queries<Answers>;
}

function* query(one: Query): Queried<unknown> {
  return yield one;
}

/** A computation without queries. */
export function* withoutQueries<Result>(result: Result): Queried<Result> {
  yield* NO_QUERIES;
  return result;
}

const NO_QUERIES: readonly Query[] = [];
