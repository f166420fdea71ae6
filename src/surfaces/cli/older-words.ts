/** Groups of commands that are known by an older word too. */
const OLDER_WORDS: ReadonlyMap<string, string> = new Map([['motivation', 'tradeoff']]);

/** The words of a command as one text, older words as the present ones. */
export function typedAs([first = '', ...others]: readonly string[]): string {
  return [OLDER_WORDS.get(first) ?? first, ...others].join(' ');
}
