import { type AttemptName, ownName } from './names.js';

/** Names of attempts' branches where no setting says otherwise. */
export const BRANCH_TEMPLATE = 'wg/{task}/{attempt}';
/** Below it, one ref per other template that was ever used here: attempts made under it are found by it. */
export const USED_TEMPLATES = 'refs/wg/branches/';

const HEADS = 'refs/heads/';
const TASK = '{task}';
const ATTEMPT = '{attempt}';
const FOLDER = /^[a-z0-9][a-z0-9._-]{0,99}$/;
/** A digit before the number of the attempt would be read as a part of it. */
const LAST = /^(?:[a-z][a-z._-]*)?\{attempt\}$/;
const CHARACTERS = 100;

/**
 * Reason why a template cannot name branches; undefined where it can. Task and attempt are whole parts at its end, below folders of
 * its own: a branch says by itself what it belongs to, whatever template it was made under, and git can keep a run to the
 * folder of its task.
 */
export function templateFault(template: string): string | undefined {
  if (template === BRANCH_TEMPLATE) return undefined;
  if (template.length > CHARACTERS) return `must have at most ${CHARACTERS} characters`;
  const parts = template.split('/');
  const last = parts.at(-1) ?? '';
  for (const word of template.match(/\{[^}]*\}?/g) ?? [])
    if (word !== TASK && word !== ATTEMPT) return `may hold ${TASK} and ${ATTEMPT}, nothing else in braces`;
  for (const word of [TASK, ATTEMPT])
    if (template.split(word).length !== 2) return `must hold ${word} once, or names would not be unique`;
  if (!LAST.test(last) || parts.at(-2) !== TASK)
    return `must end in ${TASK}/${ATTEMPT}, such as agents/${TASK}/try-${ATTEMPT}: the branches of a task need a folder of their own`;
  const folders = parts.slice(0, -2);
  if (folders.length === 0)
    return `must begin with a folder, such as agents/${TASK}/${ATTEMPT}, apart from your own branches`;
  if (folders[0] === 'wg') return `cannot begin with wg/, which is for wg/integration and ${BRANCH_TEMPLATE}`;
  if (!folders.every((part) => FOLDER.test(part) && !/\.\.|\.$|\.lock$/.test(part)) || last.includes('..'))
    return 'must be a name that git allows, of small letters, digits, dots and hyphens';
  return undefined;
}

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

/** Number of the attempt that a worktree with this branch was made for, under whatever template; undefined for any other branch. */
export function attemptOfBranch(branch: string): number | undefined {
  const [last = '', slug = '', ...folders] = branch.split('/').reverse();
  return folders.length === 0 ? undefined : ownName(slug, last.replace(/^[a-z][a-z._-]*/, ''))?.attempt;
}

function beforeAttempt(template: string): string {
  return template.slice(template.lastIndexOf('/') + 1, -ATTEMPT.length);
}
