import { addCoreLesson } from '#core/lanes/core-file.js';
import { readRoles } from '#core/lanes/registry.js';
import { coreFile } from '#core/lanes/role-paths.js';
import { starterNamed } from '#core/lanes/starters.js';
import { SOLO_WRITER } from '#core/lanes/writers.js';
import { TroupeError } from '#kernel/errors.js';
import { didYouMean } from '#kernel/text.js';
import type { RoleFiles, RoleTexts } from '#ports/role-files.js';
import type { RoleEdit } from '#ports/role-records.js';

type SoloLesson = Extract<RoleEdit, { what: 'learn' }>;

/** The file with one solo lesson more, and whether it was not there yet. `role_not_found` */
export function withSoloLesson(texts: RoleTexts, { role, lesson }: SoloLesson, date: string) {
  const text = texts.get(coreFile(role));
  if (text === undefined) throw roleNotFound(role, readRoles(texts).cores.keys());
  return addCoreLesson(role, text, 'solo', { date, text: lesson });
}

/** Appends it; what stands there already is not added again. */
export async function writeSoloLesson(files: RoleFiles, edit: SoloLesson, date: string): Promise<void> {
  await files.write(SOLO_WRITER, (texts) => ({
    texts: new Map([[coreFile(edit.role), withSoloLesson(texts, edit, date).text]]),
    result: undefined,
  }));
}

/** Names what there is, and the nearest of it. */
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
