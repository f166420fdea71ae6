import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';
import type { RoleChangeUnderWay, SetDown } from '#ports/role-records.js';
import { finishAcceptance } from './acceptance.js';
import { finishEdit } from './edit-files.js';
import { finishGraduation } from './graduation-files.js';

/** Finishes what a process began that was killed: whoever changes roles, and every start of a service, comes by here first. */
export async function finishRoleChanges(context: Context): Promise<void> {
  const records = await context.roleRecords();
  if (await records.underWay()) await records.change((underWay, setDown) => settle(context, underWay, setDown));
}

const OVERTAKEN: ReadonlySet<string> = new Set(['proposal_stale', 'role_not_found', 'bad_role_file']);

/** The same for who changes roles already. */
export async function settle(
  context: Context,
  underWay: RoleChangeUnderWay | undefined,
  setDown: SetDown,
): Promise<void> {
  if (!underWay) return;
  try {
    if (underWay.kind === 'edit') await finishEdit(context, underWay);
    else if (underWay.kind === 'acceptance') await finishAcceptance(context, underWay);
    else await finishGraduation(context, await context.graph(), underWay);
  } catch (error) {
    // A hand was there meanwhile: what it wrote counts, and there is nothing left to finish.
    if (!(error instanceof TroupeError) || !OVERTAKEN.has(error.code)) throw error;
  }
  await setDown(undefined);
}
