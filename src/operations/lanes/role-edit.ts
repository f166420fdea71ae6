import { graphIfAny } from '#operations/graph-if-any.js';
import type { Context } from '#operations/operation.js';
import { moverOf } from '#operations/shapes.js';
import type { RoleEdit } from '#ports/role-records.js';
import { type EditUnderWay, editDetail, finishEdit } from './edit-files.js';
import { today } from './role-events.js';
import { settle } from './unfinished.js';

/**
 * Edits a role file and tells the log of it. What is about to be done is set down first, so that a process that is killed leaves no
 * file that the log knows nothing of. Where there is no graph, the file is all there is.
 */
export async function editRole(context: Context, edit: RoleEdit): Promise<{ changed: boolean; seq: number }> {
  const files = await context.roleFiles();
  const [change, by, date] = [context.freshId(), moverOf(context).name, today(context)];
  const planned = async (): Promise<EditUnderWay | undefined> => {
    const detail = editDetail((await files.read()).texts, edit, date);
    return detail && { kind: 'edit', change, by, date, edit, detail };
  };
  if ((await graphIfAny(context)) === undefined) {
    const alone = await planned();
    return { changed: alone !== undefined, seq: alone === undefined ? 0 : await finishEdit(context, alone) };
  }
  return await (await context.roleRecords()).change(async (underWay, setDown) => {
    await settle(context, underWay, setDown);
    const own = await planned();
    if (own === undefined) return { changed: false, seq: 0 };
    await setDown(own);
    const seq = await finishEdit(context, own);
    await setDown(undefined);
    return { changed: true, seq };
  });
}
