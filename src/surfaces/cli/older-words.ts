/** Current first words of commands, by older ones that are still accepted. */
const OLDER_WORDS: ReadonlyMap<string, string> = new Map([['motivation', 'tradeoff']]);

/** Joins the words of a command, with an older first word replaced by the current one. */
export function typedAs([first = '', ...others]: readonly string[]): string {
  return [OLDER_WORDS.get(first) ?? first, ...others].join(' ');
}
