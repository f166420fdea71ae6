/** Default template for attempt branches. */
export const BRANCH_TEMPLATE = 'wg/{task}/{attempt}';

export const TASK = '{task}';
export const ATTEMPT = '{attempt}';
const FOLDER = /^[a-z0-9][a-z0-9._-]{0,99}$/;
/** A digit before the attempt number would be parsed as part of it. */
const LAST = /^(?:[a-z][a-z._-]*)?\{attempt\}$/;
const CHARACTERS = 100;

/**
 * Reason why a branch template is invalid; undefined if it is valid. Task and attempt must be its last two path
 * segments, below a folder: a branch then identifies its attempt under any template, and git can restrict a run to the
 * folder of its task.
 */
export function templateFault(template: string): string | undefined {
  if (template === BRANCH_TEMPLATE) return undefined;
  if (template.length > CHARACTERS) return `must have at most ${CHARACTERS} characters`;
  const parts = template.split('/');
  const last = template.slice(template.lastIndexOf('/') + 1);
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
