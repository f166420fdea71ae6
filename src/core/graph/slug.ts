import { LIMITS } from '#kernel/limits.js';

/** So many words tell tasks apart; more of them are taken only where these end with one that says little. */
const WORDS = 3;
const MOST_WORDS = 6;
/** In most languages shorter words are articles, prepositions and the like: `in`, `the`, `und`, `de`. */
const TELLING_LETTERS = 4;

/**
 * An id made from a title: lower case, accents folded, the first three words that are no numbers, with the numbers before
 * and right after them. While the last of them has fewer than four letters, one more follows, up to six words: an id ends with
 * a word that says something. `Fix login bug (2nd try)` → `fix-login-bug-2nd-try`; `Say hello in README.md` →
 * `say-hello-in-readme`; no word in Latin letters → `task`. For other scripts see `plainLetters` of `operations/plain-letters.ts`.
 */
export function titleSlug(title: string): string {
  const words = foldAccents(title)
    .toLowerCase()
    .replace(/(?<=[a-z])['’](?=[a-z])/g, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const parts: string[] = [];
  let counted = 0;
  let last = '';
  for (const word of words) {
    const isNumber = /^\d+$/.test(word);
    if (!isNumber && counted >= WORDS && (last.length >= TELLING_LETTERS || counted === MOST_WORDS)) break;
    parts.push(word);
    if (isNumber) continue;
    counted++;
    last = word;
  }
  return wholeWords(parts.join('-'), LIMITS.idCharacters - SUFFIX_CHARACTERS) || 'task';
}

/** What may be put behind an id that is taken: `-2`, `-1234567`. */
const SUFFIX_CHARACTERS = 8;

/** As many whole words of `a-b-c` as fit into so many characters; a first word longer than that is cut. */
export function wholeWords(slug: string, most: number): string {
  if (slug.length <= most) return slug;
  const end = slug.lastIndexOf('-', most);
  return slug.slice(0, end > 0 ? end : most);
}

/** `Café` → `Cafe`. */
export function foldAccents(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '');
}

/** The first of `base`, `base-2`, `base-3`, … that was never used. */
export function freeId(base: string, wasUsed: (id: string) => boolean): string {
  if (!wasUsed(base)) return base;
  for (let number = 2; ; number++) {
    const id = `${base}-${number}`;
    if (!wasUsed(id)) return id;
  }
}

/** Is this a form in which new ids may be given? Never a path, a flag or a lock file. */
export function isIdForm(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(id) && !id.includes('..') && !id.endsWith('.lock');
}
