import path from 'node:path';
import { TroupeError } from '#kernel/errors.js';
import { isInside } from '#kernel/paths.js';

/**
 * Returns a given path relative to the project root. Compares the path lexically: the code that opens the file must
 * check for symbolic links. Errors: `unsafe_path` for a path that leaves the project or names the project itself.
 */
export function insideProject(projectFolder: string, named: string): string {
  const place = path.resolve(projectFolder, named);
  const relative = path.relative(projectFolder, place);
  if (relative === '' || !isInside(projectFolder, place) || named.includes('\0')) {
    throw new TroupeError('unsafe_path', {
      what: `${JSON.stringify(named.slice(0, 120))} is not a file inside the project.`,
      hint: 'Use a path relative to the project folder.',
    });
  }
  return relative;
}
