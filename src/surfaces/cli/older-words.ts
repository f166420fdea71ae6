/** Groups of commands that are known by an older word too. */
const OLDER_WORDS: ReadonlyMap<string, string> = new Map([['motivation', 'tradeoff']]);

/** What a word stands for that nothing follows but flags. */
const ALONE: ReadonlyMap<string, string> = new Map([['evolve', 'evolve run']]);

/** The command that one word alone means; undefined where it only begins others. */
export function meantAlone(word: string): string | undefined {
  return ALONE.get(word);
}

/** The words of a command as one text, older words as the present ones. */
export function typedAs([first = '', ...others]: readonly string[]): string {
  return [OLDER_WORDS.get(first) ?? first, ...others].join(' ');
}
