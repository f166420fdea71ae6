import { TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';

const SLUG = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** Lower case, accents folded, spaces to `-`: the form of a name that may become a folder. Undefined when it has none. */
export function folderSlug(name: string): string | undefined {
  const folded = name
    .trim()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/\s+/gu, '-');
  return SLUG.test(folded) ? folded : undefined;
}

/** Like `slugOf`, but a name without a slug is refused with `name_invalid`. */
export function memberSlug(name: string): string {
  const slug = folderSlug(name);
  if (slug === undefined) {
    throw new TroupeError('name_invalid', { what: `Not a member name: ${JSON.stringify(cut(inert(name), 80))}` });
  }
  return slug;
}
