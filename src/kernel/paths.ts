import path from 'node:path';

/**
 * Whether a path is the folder or in it. Both are absolute, or relative to the same folder; the caller resolves links.
 */
export function isInside(folder: string, place: string): boolean {
  const relative = path.relative(folder, place);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/** Whether a text is an address, not a path: `https://…`, `ssh://…`, `ext::…`, or `user@host:path`. */
export function isAddress(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*:(?::|\/\/)/.test(text) || /^[^/\\:@\s]+@[^/\\:@\s]+:/.test(text);
}
