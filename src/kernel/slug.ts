/** A name as a part of an id: NFKC, lower-case, blanks as `-`. Undefined of what is blank, or holds `/`, `:` or a control character. */
export function slugOf(name: string): string | undefined {
  const slug = name.normalize('NFKC').trim().toLowerCase().replace(/\s+/g, '-');
  return slug === '' || /[/:\p{Cc}]/u.test(slug) ? undefined : slug;
}
