/**
 * Escapes untrusted text for a screen: terminal escapes, other control characters, bidi overrides and zero-width
 * characters become visible escapes. With `multiline`, line feeds and tabs are kept; otherwise they become spaces.
 */
export function inert(text: string, multiline = false): string {
  const line = multiline ? text : text.replace(/[\r\n\t]+/g, ' ');
  return line.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** Truncates to `width` characters, the last of them an ellipsis if the text was longer. */
export function cut(text: string, width: number): string {
  if (text.length <= width) return text; // never more characters than units
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, Math.max(0, width - 1)).join('')}…`;
}

/** Maximum characters of untrusted text within a sentence. */
const SENTENCE_CHARACTERS = 200;

/** Escapes untrusted text, such as the name of a file, and truncates it to fit into a sentence. */
export function inSentence(text: string): string {
  return cut(inert(text), SENTENCE_CHARACTERS);
}

/**
 * Number of single-character edits between two words, including swaps of neighbours; limit + 1 if it exceeds `limit`.
 */
export function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1;
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  let beforePrevious: number[] = [];
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const swap = swapped ? (beforePrevious[column - 2] ?? limit) + 1 : limit + 1;
      current.push(Math.min(substitution, swap, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[right.length] ?? limit + 1;
}

/** Maximum edits for a suggestion: none up to two letters, one up to five, two beyond. */
const editsIn = ({ length }: string) => (length <= 2 ? 0 : length <= 5 ? 1 : 2);

/**
 * Suggests the known word that a mistyped one most likely means: one that it is a prefix of, one that is a prefix of
 * it, or one within a few edits.
 */
export function didYouMean(word: string, words: Iterable<string>): string | undefined {
  const limit = editsIn(word);
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of words) {
    const isPart =
      word.length >= 2 &&
      (candidate.startsWith(word) || (word.startsWith(candidate) && candidate.length * 2 >= word.length));
    const edits = editDistance(word.toLowerCase(), candidate.toLowerCase(), limit);
    if (edits > limit && !isPart) continue;
    const distance = isPart ? Math.min(edits, 1) : edits;
    if (distance > bestDistance || (distance === bestDistance && best !== undefined && candidate >= best)) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}

/** `1 task`, `2 tasks`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats a price as `$0.42`; an unknown price as a dash, never as zero. */
export function formatMoney(usd: number | null | undefined): string {
  return typeof usd === 'number' && Number.isFinite(usd) ? `$${usd.toFixed(2)}` : '–';
}

/** As `formatMoney`, with a `~` in front if part of the price is estimated. */
export function formatCost(usd: number | null | undefined, estimated: number | null | undefined): string {
  return `${typeof usd === 'number' && (estimated ?? 0) > 0 ? '~' : ''}${formatMoney(usd)}`;
}

/** `950`, `12.4k`, `3.1M`. */
export function formatTokens(tokens: number | null | undefined): string {
  if (typeof tokens !== 'number' || !Number.isFinite(tokens)) return '–';
  if (tokens < 1_000) return String(Math.round(tokens));
  if (tokens < 999_950) return `${(tokens / 1_000).toFixed(1)}k`;
  return `${(tokens / 1_000_000).toFixed(1)}M`;
}

/**
 * Whether a text matches a pattern in which each `*` stands for any text. No regular expression is built from user
 * input: the parts between stars are searched one after another.
 */
export function matchesPattern(text: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of rest) {
    const begin = text.indexOf(part, at);
    if (begin === -1 || begin + part.length > end) return false;
    at = begin + part.length;
  }
  return true;
}

/** Quotes an id as one word for a shell. */
export function shellWord(id: string): string {
  return /^[\w.:@/+][\w.:@/+-]*$/.test(id) ? id : `'${id.replaceAll("'", "'\\''")}'`;
}
