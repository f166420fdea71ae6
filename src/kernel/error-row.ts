/** What a code says and means. */
export interface CodeRow {
  /** What happened, said when the thrower has nothing more precise. */
  readonly sentence: string;
  /** What to do next. */
  readonly hint: string;
  readonly http: number;
  /** 1 = refused or failed, 2 = the words of the call are wrong. */
  readonly exit: 1 | 2;
}

/** A row of the tables of codes. */
export const row = (sentence: string, hint: string, http: number, exit: 1 | 2 = 1): CodeRow => ({
  sentence,
  hint,
  http,
  exit,
});
