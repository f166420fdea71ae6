import { addCoreLesson } from '#core/roles/core-file.js';
import { readRoles } from '#core/roles/registry.js';
import { coreFile } from '#core/roles/role-paths.js';
import { starterNamed } from '#core/roles/starters.js';
import { TroupeError } from '#kernel/errors.js';
import { didYouMean } from '#kernel/text.js';
import type { RoleTexts } from '#ports/role-files.js';

/** A lesson of a solo role, and the run it comes from. */
export interface SoloLesson {
  readonly what: 'learn';
  readonly role: string;
  readonly lesson: string;
  readonly run?: string;
}

/** The file with an added solo lesson; undefined if it is already there. Errors: `role_not_found`. */
export function soloLessonAdded(texts: RoleTexts, { role, lesson, run }: SoloLesson, date: string) {
  const before = texts.get(coreFile(role));
  if (before === undefined) throw roleNotFound(role, readRoles(texts).cores.keys());
  const { text, added } = addCoreLesson(role, before, 'solo', { date, text: lesson });
  if (!added) return undefined;
  const detail = { role, lesson, ...(run === undefined ? {} : { run }) };
  return { texts: new Map([[coreFile(role), text]]), detail };
}

/** Error with the existing names and the closest one. */
export function roleNotFound(name: string, names: Iterable<string>): TroupeError {
  const all = [...names].sort();
  const near = didYouMean(name, all);
  const list = all.slice(0, 12).join(', ');
  if (starterNamed(name) !== undefined)
    return new TroupeError('role_not_found', {
      what: `There is no core role ${name} in this repository yet: it is a shipped role.`,
      hint: `\`troupe roles as ${name} TARGET\` copies and runs it; from then on it learns here.`,
      details: { names: all },
    });
  return new TroupeError('role_not_found', {
    what: `There is no core role ${name}${near === undefined ? '.' : `: did you mean ${near}?`}`,
    hint:
      all.length === 0
        ? `Create ${coreFile(name)}; the guide to roles shows the format.`
        : `Name one of ${list}${all.length > 12 ? ', …' : ''}.`,
    details: { names: all },
  });
}
