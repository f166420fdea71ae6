import { WORK_LIMITS } from '#kernel/limits/work.js';

/** Number of words in an id; more are taken only while the last one is short. */
const WORDS = 3;
const MOST_WORDS = 6;
/** Shorter words are mostly articles, prepositions and the like: `in`, `the`, `und`, `de`. */
const TELLING_LETTERS = 4;

/**
 * Derives an id from a title: lower case, accents folded, the first three words that are not numbers, with the numbers
 * before and right after them. While the last word has fewer than four letters, another follows, up to six words,
 * because short words say little. `Fix login bug (2nd try)` → `fix-login-bug-2nd-try`; `Say hello in README.md` →
 * `say-hello-in-readme`; no word in Latin letters → `task`. For other scripts see `plainLetters` of
 * `operations/plain-letters.ts`.
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
  return wholeWords(parts.join('-'), WORK_LIMITS.idCharacters - SUFFIX_CHARACTERS) || 'task';
}

/** Room for the suffix of a taken id: `-2`, `-1234567`. */
const SUFFIX_CHARACTERS = 8;

/** Truncates `a-b-c` to whole words within this many characters; a longer first word is cut. */
export function wholeWords(slug: string, most: number): string {
  if (slug.length <= most) return slug;
  const end = slug.lastIndexOf('-', most);
  return slug.slice(0, end > 0 ? end : most);
}

/** `Café` → `Cafe`. */
export function foldAccents(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '');
}

/** Returns the first of `base`, `base-2`, `base-3`, … that was never used. */
export function freeId(base: string, wasUsed: (id: string) => boolean): string {
  if (!wasUsed(base)) return base;
  for (let number = 2; ; number++) {
    const id = `${base}-${number}`;
    if (!wasUsed(id)) return id;
  }
}

/** Whether a new id may have this form: never a path, a flag or a lock file. */
export function isIdForm(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(id) && !id.includes('..') && !id.endsWith('.lock');
}
