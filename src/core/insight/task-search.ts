/** Special characters of regular expressions. */
const SYNTAX = /[\\^$.*+?()[\]{}|]/g;

export interface Searchable {
  readonly id: string;
  readonly title: string;
  readonly member?: string | undefined;
}

/**
 * Returns a ranking function for a query: lower is better; undefined if one of the words does not occur. Best is an
 * exact id, then an exact title, then the phrase as whole words, the phrase at the start of a word, each word at the
 * start of a word, and any occurrence. Ignores case.
 */
export function searchRank(typed: string): (task: Searchable) => number | undefined {
  const terms = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (terms.length === 0) return () => 0;
  const phrase = terms.join(' ');
  const begins = (words: string) => `(?<![\\p{L}\\p{N}])${words.replaceAll(SYNTAX, '\\$&')}`;
  const inARow = new RegExp(begins(phrase), 'u');
  const whole = new RegExp(`${begins(phrase)}(?![\\p{L}\\p{N}])`, 'u');
  const each = terms.map((term) => new RegExp(begins(term), 'u'));
  return ({ id, title, member = '' }) => {
    const text = `${title} ${id} ${member}`.toLowerCase();
    if (!terms.every((term) => text.includes(term))) return undefined;
    if (id.toLowerCase() === phrase) return 0;
    if (title.toLowerCase() === phrase) return 1;
    if (whole.test(text)) return 2;
    if (inARow.test(text)) return 3;
    return each.every((one) => one.test(text)) ? 4 : 5;
  };
}
