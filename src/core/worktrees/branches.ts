import { ATTEMPT, TASK } from './branch-template.js';
import { type AttemptName, ownName } from './names.js';

/** Below it, one ref per other template that was ever used here: attempts made under it are found by it. */
export const USED_TEMPLATES = 'refs/wg/branches/';
const HEADS = 'refs/heads/';

/** Full ref of an attempt's branch under a template. */
export function branchOf({ slug, attempt }: AttemptName, template: string): string {
  return `${HEADS}${template.replace(TASK, slug).replace(ATTEMPT, String(attempt))}`;
}

/** `refs/heads/wg/`: all branches of a template lie below it. */
export function folderOf(template: string): string {
  return `${HEADS}${template.slice(0, template.indexOf(TASK))}`;
}

/** Attempt of a branch, by the templates it may have been made under; undefined for a branch of a person, or our own. */
export function nameOfBranch(ref: string, templates: readonly string[]): AttemptName | undefined {
  for (const template of templates) {
    const [folder, before] = [folderOf(template), beforeAttempt(template)];
    const [slug = '', last = '', ...deeper] = ref.startsWith(folder) ? ref.slice(folder.length).split('/') : [];
    if (deeper.length > 0 || !last.startsWith(before)) continue;
    const name = ownName(slug, last.slice(before.length));
    if (name !== undefined) return name;
  }
  return undefined;
}

function beforeAttempt(template: string): string {
  return template.slice(template.lastIndexOf('/') + 1, -ATTEMPT.length);
}
