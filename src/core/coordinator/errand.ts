/** Result of an errand; `of` names its kind. */
export interface ErrandAnswer {
  readonly of: string;
}

/** The errand failed; `text` is the error message. */
export interface ErrandFailure {
  readonly of: 'error';
  readonly text: string;
}

/**
 * Errands (asynchronous work that ticks started), by key, such as `triage agent-7`. An errand that is under way or
 * answered is not started again.
 */
export interface ErrandFacts {
  readonly underWay: ReadonlySet<string>;
  readonly answers: ReadonlyMap<string, ErrandAnswer>;
}

export const NO_ERRANDS: ErrandFacts = { underWay: new Set(), answers: new Map() };

/** One kind of errand: builds its keys and types its answers. */
export class ErrandKind<Answer extends ErrandAnswer> {
  private readonly word: string;

  constructor(word: string) {
    this.word = word;
  }

  /** Key of the errand about these things; without arguments, the key of the only errand of this kind. */
  key(...about: readonly (string | number)[]): string {
    return [this.word, ...about].join(' ');
  }

  owns(key: string): boolean {
    return key === this.word || key.startsWith(`${this.word} `);
  }

  /** Undefined until the errand is answered. */
  answer({ answers }: ErrandFacts, key: string): Answer | ErrandFailure | undefined {
    return answers.get(key) as Answer | ErrandFailure | undefined;
  }

  /** All answers of this kind, with their key and subject. */
  *answers({ answers }: ErrandFacts): Iterable<{ key: string; about: string; answer: Answer | ErrandFailure }> {
    for (const about of this.subjectsIn(answers.keys())) {
      const key = this.key(about);
      yield { key, about, answer: answers.get(key) as Answer | ErrandFailure };
    }
  }

  /** Subjects of the errands of this kind among `keys`. */
  *subjectsIn(keys: Iterable<string>): Iterable<string> {
    const start = `${this.word} `;
    for (const key of keys) if (key.startsWith(start)) yield key.slice(start.length);
  }
}
