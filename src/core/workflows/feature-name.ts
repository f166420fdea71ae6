const EDGE_WORDS = new Set([
  ...['a', 'an', 'and', 'as', 'at', 'by', 'for', 'from', 'in', 'into', 'is', 'it', 'its', 'of', 'on', 'or', 'our'],
  ...['that', 'the', 'their', 'these', 'this', 'those', 'to', 'up', 'with', 'your'],
]);
const WORDS_MOST = 6;
const LETTERS_LEAST = 3;

/**
 * What the work was about, going by the titles: the longest run of words that all of them share, else most of them; of a
 * single title all but its first word, taken for a verb. Undefined when the titles say nothing of the kind.
 */
export function featureName(titles: readonly string[]): string | undefined {
  const [only = '', ...others] = titles;
  if (others.length === 0) return trimmed(wordsOf(only).slice(1, 1 + WORDS_MOST))?.join(' ');
  const uses = new Map<string, { titles: number; first: number; words: number }>();
  for (const title of titles) {
    for (const [phrase, first] of phrasesOf(title)) {
      const use = uses.get(phrase) ?? { titles: 0, first: 0, words: phrase.split(' ').length };
      use.titles++;
      if (first) use.first++;
      uses.set(phrase, use);
    }
  }
  // What begins every title is what is done, not what it is done to.
  const able = [...uses].filter(([, use]) => use.titles * 2 > titles.length && use.first < use.titles);
  able.sort(
    ([left, a], [right, b]) =>
      b.titles - a.titles || b.words - a.words || right.length - left.length || (left < right ? -1 : 1),
  );
  return able[0]?.[0];
}

/** Every run of words of a title that could be a name, once, and whether it is the verb at the beginning. */
function phrasesOf(title: string): Map<string, boolean> {
  const words = wordsOf(title);
  const found = new Map<string, boolean>();
  for (let start = 0; start < words.length; start++) {
    for (let end = start + 1; end <= Math.min(words.length, start + WORDS_MOST); end++) {
      const last = words[end - 1] ?? '';
      const closed = last.replace(/[.,:;!?]+$/, '');
      const phrase = trimmed([...words.slice(start, end - 1), closed])?.join(' ');
      const whole = phrase?.split(' ').length === end - start;
      // A colon after the first words makes them the subject: `Login: write the page`.
      if (phrase && whole && !found.has(phrase)) found.set(phrase, start === 0 && !last.endsWith(':'));
      if (closed !== last) break; // a name does not go on behind a full stop
    }
  }
  return found;
}

function wordsOf(title: string): string[] {
  return title.split(' ').filter((word) => word !== '');
}

/** Without small words at its ends; undefined when nothing that could be a name is left. */
function trimmed(words: readonly string[]): string[] | undefined {
  const kept = [...words];
  while (isSmall(kept[0])) kept.shift();
  while (isSmall(kept.at(-1))) kept.pop();
  const last = kept.pop();
  if (last !== undefined) kept.push(last.replace(/[.,:;!?]+$/, ''));
  const name = kept.join(' ');
  return (name.match(/\p{L}/gu) ?? []).length >= LETTERS_LEAST && /^[\p{L}\p{N}]/u.test(name) ? kept : undefined;
}

function isSmall(word: string | undefined): boolean {
  return word !== undefined && EDGE_WORDS.has(word.toLowerCase());
}
