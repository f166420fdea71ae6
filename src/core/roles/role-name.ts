import { TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';
import { RESERVED_ROLE_NAMES } from './role-paths.js';

const NAME = /^[a-z][a-z0-9-]{0,63}$/;

/** Whether a role may have this name, which is also a file name and a word of the command line. */
export function isRoleName(name: string): boolean {
  return NAME.test(name) && !RESERVED_ROLE_NAMES.has(name);
}

/** Returns the name. Errors: `bad_role_name`. */
export function roleName(name: string): string {
  if (isRoleName(name)) return name;
  const printable = cut(inert(name), 80);
  throw new TroupeError('bad_role_name', {
    what: RESERVED_ROLE_NAMES.has(name)
      ? `${printable} is not a role name: the word is reserved.`
      : `${printable === '' ? 'An empty text' : printable} is not a role name.`,
    details: { name: printable },
  });
}
