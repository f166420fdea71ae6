import { LIMITS } from '#kernel/limits.js';

const SLUG_WORDS = 3;

/**
 * An id made from a title: lower case, accents folded, the first three words that are no numbers, with the numbers
 * before and right after them. `Fix login bug (2nd try)` → `fix-login-bug`; nothing usable → `task`.
 */
export function slugOf(title: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const parts: string[] = [];
  let letters = 0;
  for (const word of words) {
    const isNumber = /^\d+$/.test(word);
    if (!isNumber && letters === SLUG_WORDS) break;
    parts.push(word);
    if (!isNumber) letters++;
  }
  return (
    parts
      .join('-')
      .slice(0, LIMITS.idCharacters - 8)
      .replace(/-+$/, '') || 'task'
  );
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
