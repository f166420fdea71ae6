/** Definition of an error code. */
export interface CodeRow {
  /** Message, used unless the thrower gives a more precise one. */
  readonly sentence: string;
  /** Suggested next step. */
  readonly hint: string;
  readonly http: number;
  /** Exit code: 1 if the operation was refused or failed, 2 if the arguments of the call are wrong. */
  readonly exit: 1 | 2;
}

/** Row of the tables of codes. */
export const row = (sentence: string, hint: string, http: number, exit: 1 | 2 = 1): CodeRow => ({
  sentence,
  hint,
  http,
  exit,
});
