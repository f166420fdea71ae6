import { type RoleWriter, SOLO_WRITER } from '#core/roles/writers.js';
import type { WorkContext } from '#operations/contexts.js';
import { moverOf } from '#operations/shapes.js';
import type { RoleTexts } from '#ports/role-files.js';
import { changeRoles } from './change-roles.js';
import { rowWriter, type StatusEdit, statusEdited } from './row-status.js';
import { type SoloLesson, soloLessonAdded } from './solo-lesson.js';
import { today } from './today.js';

/** Change of one file with one event: an added solo lesson, or a new status of a row. Idempotent. */
export type RoleEdit = SoloLesson | StatusEdit;

/** Edits a role file and logs it. Errors: `role_not_found`, `bad_role_file`. */
export async function editRoleFile(
  context: WorkContext,
  edit: RoleEdit,
): Promise<{ readonly changed: boolean; readonly seq: number }> {
  const { name: actor } = moverOf(context);
  const { result, seq } = await changeRoles(context, writerOf(edit), context.request, ({ texts }) => {
    const edited = editedBy(edit, texts, today(context));
    if (edited === undefined) return { events: [], result: { changed: false } };
    const event = { op: `roles_${edit.what}`, actor, detail: edited.detail, patch: [] };
    return { texts: edited.texts, events: [event], result: { changed: true } };
  });
  return { ...result, seq: result.changed ? seq : 0 };
}

const writerOf = (edit: RoleEdit): RoleWriter => (edit.what === 'learn' ? SOLO_WRITER : rowWriter(edit.lane));

/** The file after an edit, with the detail of its event; undefined if nothing changes. */
const editedBy = (edit: RoleEdit, texts: RoleTexts, date: string) =>
  edit.what === 'learn' ? soloLessonAdded(texts, edit, date) : statusEdited(texts, edit);
