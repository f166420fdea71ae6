/** What came back of an errand, by what was asked for. */
export interface ErrandAnswer {
  readonly of: string;
}

/** It could not be done, in the words of the error. */
export interface ErrandFailure {
  readonly of: 'error';
  readonly text: string;
}

/** What ticks asked for that takes its time, by key, such as `triage agent-7`: none is asked for that is under way or answered. */
export interface ErrandFacts {
  readonly underWay: ReadonlySet<string>;
  readonly answers: ReadonlyMap<string, ErrandAnswer>;
}

export const NO_ERRANDS: ErrandFacts = { underWay: new Set(), answers: new Map() };

/** One kind of errand: by which keys its errands go, and what comes back of them. Whoever starts one is held to it. */
export class ErrandKind<Answer extends ErrandAnswer> {
  private readonly word: string;

  constructor(word: string) {
    this.word = word;
  }

  /** By which the errand about this is known; without anything, there is only one. */
  key(...about: readonly (string | number)[]): string {
    return [this.word, ...about].join(' ');
  }

  owns(key: string): boolean {
    return key === this.word || key.startsWith(`${this.word} `);
  }

  /** Undefined while nothing came back. */
  answer({ answers }: ErrandFacts, key: string): Answer | ErrandFailure | undefined {
    return answers.get(key) as Answer | ErrandFailure | undefined;
  }

  /** All that came back, by what it was about. */
  *answers({ answers }: ErrandFacts): Iterable<{ key: string; about: string; answer: Answer | ErrandFailure }> {
    for (const about of this.aboutIn(answers.keys())) {
      const key = this.key(about);
      yield { key, about, answer: answers.get(key) as Answer | ErrandFailure };
    }
  }

  /** What errands of this kind are about, of those with these keys. */
  *aboutIn(keys: Iterable<string>): Iterable<string> {
    const start = `${this.word} `;
    for (const key of keys) if (key.startsWith(start)) yield key.slice(start.length);
  }
}
