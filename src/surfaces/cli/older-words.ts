/** Current first words of commands, by older ones that are still accepted. */
const OLDER_WORDS: ReadonlyMap<string, string> = new Map([['motivation', 'tradeoff']]);

/** Commands of the playbooks that are no workflows, by what `run` calls them. */
const RUN_WORDS: ReadonlyMap<string, string> = new Map([
  ['run crew', 'crew'],
  ['run panel', 'panel'],
  ['run sweep', 'formation sweep'],
  ['run chain', 'chain'],
]);

/** Joins the words of a command, with an older first word replaced by the current one. */
export function typedAs([first = '', ...others]: readonly string[]): string {
  const typed = [OLDER_WORDS.get(first) ?? first, ...others].join(' ');
  return RUN_WORDS.get(typed) ?? typed;
}
