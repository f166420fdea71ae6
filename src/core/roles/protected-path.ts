import { EDITS_ROLES } from '#core/graph/run-rights.js';
import { cut, inert } from '#kernel/text.js';

/** Any spelling of the folder, since some file systems ignore case; also a link or file in its place. */
const ROLE_FILE = /(?:^|\/)\.claude(?:$|\/roles(?:$|\/))/i;
const FILES_NAMED = 5;

/**
 * Reason why changes of an attempt are refused; undefined if they touch no role files, or a person allowed it by a tag.
 */
export function protectedChange(tags: readonly string[] | undefined, paths: readonly string[]): string | undefined {
  if (tags?.includes(EDITS_ROLES)) return undefined;
  const touched = paths.filter((path) => ROLE_FILE.test(path));
  if (touched.length === 0) return undefined;
  const names = touched.slice(0, FILES_NAMED).map((path) => cut(inert(path), 100));
  const more = touched.length > names.length ? `, and ${touched.length - names.length} more` : '';
  return `protected_path: agents do not write role files (${names.join(', ')}${more}); leave them out, or a person adds the tag ${EDITS_ROLES} to the task`;
}
