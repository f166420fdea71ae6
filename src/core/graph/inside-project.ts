import path from 'node:path';
import { TroupeError } from '#kernel/errors.js';
import { isInside } from '#kernel/paths.js';

/**
 * A path a person or a run named, relative to the top of the project; `unsafe_path` when it leads out of it or names the
 * project itself. Only words are compared: whoever opens the file later looks out for links.
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
