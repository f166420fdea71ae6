import { ATTEMPT, TASK } from '#core/settings/branch-template.js';
import { type AttemptName, ownName } from './names.js';

/** Prefix of one ref per other template ever used here, which is needed to find the attempts made under it. */
export const USED_TEMPLATES = 'refs/wg/branches/';
const HEADS = 'refs/heads/';

/** Full ref of an attempt's branch under a template. */
export function branchOf({ slug, attempt }: AttemptName, template: string): string {
  return `${HEADS}${template.replace(TASK, slug).replace(ATTEMPT, String(attempt))}`;
}

/** Folder of all branches of a template: `refs/heads/wg/`. */
export function folderOf(template: string): string {
  return `${HEADS}${template.slice(0, template.indexOf(TASK))}`;
}

/** Attempt of a branch under any of these templates; undefined for other branches. */
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
