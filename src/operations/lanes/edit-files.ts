import type { JsonObject } from '#kernel/json.js';
import type { Context } from '#operations/operation.js';
import type { RoleTexts } from '#ports/role-files.js';
import type { RoleChangeUnderWay, RoleEdit } from '#ports/role-records.js';
import { tell } from './role-events.js';
import { withRowStatus, writeRowStatus } from './row-status.js';
import { withSoloLesson, writeSoloLesson } from './solo-lesson.js';

type Parts = Pick<Context, 'roleFiles' | 'graph' | 'caller'>;
export type EditUnderWay = Extract<RoleChangeUnderWay, { kind: 'edit' }>;

/** What the log is told of an edit of these texts; undefined of one that changes nothing. Errors: those of the edit. */
export function editDetail(texts: RoleTexts, edit: RoleEdit, date: string): JsonObject | undefined {
  if (edit.what === 'learn') {
    const { role, lesson, run } = edit;
    const { added } = withSoloLesson(texts, edit, date);
    return added ? { role, lesson, ...(run === undefined ? {} : { run }) } : undefined;
  }
  const { changed, from, to } = withRowStatus(texts, edit);
  return changed ? { lane: edit.lane, role: edit.role, from, to } : undefined;
}

/** The file, then its event, each only where it is not done yet: whoever is killed in between is gone on from by the next. */
export async function finishEdit(context: Parts, { change, by, date, edit, detail }: EditUnderWay): Promise<number> {
  const files = await context.roleFiles();
  if (edit.what === 'learn') await writeSoloLesson(files, edit, date);
  else await writeRowStatus(files, edit);
  const person = { ...context, caller: { kind: 'person' as const, name: by } };
  return await tell(person, `roles_${edit.what}`, detail, `role-edit:${change}`);
}
