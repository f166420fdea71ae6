import { graduated, graduationIn } from '#core/lanes/graduation.js';
import { GRADUATION_WRITER } from '#core/lanes/writers.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';
import type { GraphStore } from '#ports/graph-store.js';
import type { RoleChangeUnderWay, SetDown } from '#ports/role-records.js';
import { finishAcceptance } from './acceptance.js';

/** Finishes what a process began that was killed: whoever changes roles, and every start of a service, comes by here first. */
export async function finishRoleChanges(context: Context): Promise<void> {
  const records = await context.roleRecords();
  if (await records.underWay()) await records.change((underWay, setDown) => settle(context, underWay, setDown));
}

const OVERTAKEN: ReadonlySet<string> = new Set(['proposal_stale', 'role_not_found']);

/** The same for who changes roles already. */
export async function settle(
  context: Context,
  underWay: RoleChangeUnderWay | undefined,
  setDown: SetDown,
): Promise<void> {
  if (!underWay) return;
  try {
    if (underWay.kind === 'acceptance') await finishAcceptance(context, underWay);
    else await finishGraduation(context, await context.graph(), underWay);
  } catch (error) {
    // A hand was there meanwhile: what it wrote counts, and there is nothing left to finish.
    if (!(error instanceof TroupeError) || !OVERTAKEN.has(error.code)) throw error;
  }
  await setDown(undefined);
}

/** Its event says all that is needed; where there is none, nothing was agreed. */
async function finishGraduation(
  context: Context,
  store: GraphStore,
  { change, from }: Extract<RoleChangeUnderWay, { kind: 'graduation' }>,
): Promise<void> {
  for await (const { detail } of store.entries(from + 1)) {
    const graduation = detail?.['change'] === change ? graduationIn(detail) : undefined;
    if (graduation) await carryOut(context, graduation);
  }
}

/** The files follow. What changed beside it meanwhile stays. */
export async function carryOut(
  context: Pick<Context, 'roleFiles'>,
  graduation: Parameters<typeof graduated>[1],
): Promise<readonly string[]> {
  return await (await context.roleFiles()).write(GRADUATION_WRITER, (texts) => {
    const changes = graduated(texts, graduation);
    return {
      texts: new Map(changes.map(({ file, after }) => [file, after])),
      result: changes.map(({ file }) => file),
    };
  });
}
