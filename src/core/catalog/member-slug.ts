import { TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';

const SLUG = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/**
 * Converts a name to a folder name: lower case, without accents, spaces replaced by `-`. Undefined if the result is not
 * a valid slug.
 */
export function folderSlug(name: string): string | undefined {
  const folded = name
    .trim()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/\s+/gu, '-');
  return SLUG.test(folded) ? folded : undefined;
}

/** Like `folderSlug`, but throws if the name has no slug. Errors: `name_invalid`. */
export function memberSlug(name: string): string {
  const slug = folderSlug(name);
  if (slug === undefined) {
    throw new TroupeError('name_invalid', { what: `Not a member name: ${JSON.stringify(cut(inert(name), 80))}` });
  }
  return slug;
}
