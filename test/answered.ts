import type { Queried } from '#kernel/query.js';

/** Runs a computation to its end with the given answers. Errors of either are rethrown. */
export function answered<Answers extends object, Result>(computation: Queried<Result>, answers: Answers): Result {
  const byName = answers as Readonly<Record<string, (...of: readonly unknown[]) => unknown>>;
  let step = computation.next();
  while (!step.done) {
    const { name, of } = step.value;
    const answer = byName[name];
    if (answer === undefined) throw new Error(`Nobody answers the query ${name}.`);
    step = computation.next(answer(...of));
  }
  return step.value;
}
