/**
 * Converts a name to a part of an id: NFKC, lower case, whitespace as `-`. Undefined if it is blank or contains `/`,
 * `:` or a control character.
 */
export function slugOf(name: string): string | undefined {
  const slug = name.normalize('NFKC').trim().toLowerCase().replace(/\s+/g, '-');
  return slug === '' || /[/:\p{Cc}]/u.test(slug) ? undefined : slug;
}
