import path from 'node:path';

/** Is this place the folder, or in it? Both absolute, or both relative to the same; links are the caller's to resolve. */
export function isInside(folder: string, place: string): boolean {
  const relative = path.relative(folder, place);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/** Does a text say of itself that it is no path: `https://…`, `ssh://…`, `ext::…`, or `user@host:path`? */
export function isAddress(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*:(?::|\/\/)/.test(text) || /^[^/\\:@\s]+@[^/\\:@\s]+:/.test(text);
}
