import { graduated, graduationIn } from '#core/lanes/graduation.js';
import { GRADUATION_WRITER } from '#core/lanes/writers.js';
import type { Context } from '#operations/operation.js';
import type { GraphStore } from '#ports/graph-store.js';
import type { RoleChangeUnderWay } from '#ports/role-records.js';

/** Its event says all that is needed; where there is none, nothing was agreed. */
export async function finishGraduation(
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
