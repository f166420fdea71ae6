/** What means something else in a pattern than itself. */
const SYNTAX = /[\\^$.*+?()[\]{}|]/g;

/** What a task is searched by. */
export interface Searchable {
  readonly id: string;
  readonly title: string;
  readonly member?: string | undefined;
}

/**
 * How well a task fits what somebody typed: the lower, the better; undefined where one of the words stands nowhere in it. Best is
 * the id itself, then the title itself, then the words in a row as whole words, at the beginning of a word, each at the
 * beginning of one, and anywhere. Upper and lower case are the same.
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
