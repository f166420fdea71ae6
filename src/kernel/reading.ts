/** A question to a store, as data: its name among those of the store, and its arguments. */
export interface Question {
  readonly name: string;
  readonly of: readonly unknown[];
}

/**
 * A computation that yields questions, each resumed with its answer. It calls nothing itself, so whoever keeps the answers may give them
 * at once or after a round trip, and may begin it anew after a conflict.
 */
export type Reading<Result> = Generator<Question, Result, unknown>;

/** The questions of a store, each as the reading that asks it. `Answers` maps names to functions from arguments to the answer. */
export type Questions<Answers> = {
  readonly [Name in keyof Answers]: Answers[Name] extends (...of: infer Of) => infer Answer
    ? (...of: Of) => Reading<Answer>
    : never;
};

/** Makes the questions of a store from their names. */
export function questionsOf<Answers>(names: Readonly<Record<keyof Answers & string, true>>): Questions<Answers> {
  const asked = Object.keys(names).map((name) => [name, (...of: readonly unknown[]) => asking({ name, of })]);
  return Object.fromEntries(asked) as Questions<Answers>;
}

function* asking(question: Question): Reading<unknown> {
  return yield question;
}

/** A reading that has its result and asks nothing. */
export function* withoutQuestions<Result>(result: Result): Reading<Result> {
  yield* NO_QUESTIONS;
  return result;
}

const NO_QUESTIONS: readonly Question[] = [];

/** Runs a reading to its end with answers that are at hand. What an answer or the reading throws is thrown on. */
export function answered<Answers extends object, Result>(reading: Reading<Result>, answers: Answers): Result {
  const byName = answers as Readonly<Record<string, (...of: readonly unknown[]) => unknown>>;
  let step = reading.next();
  while (!step.done) {
    const { name, of } = step.value;
    const answer = byName[name];
    if (answer === undefined) throw new Error(`Nobody answers the question ${name}.`);
    step = reading.next(answer(...of));
  }
  return step.value;
}
