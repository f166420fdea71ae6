import type { EventDraft } from '#core/graph/event.js';
import type { RoleWriter } from '#core/roles/writers.js';
import type { RequestMark } from '#kernel/request.js';
import { withChangeMark } from '#operations/change-mark.js';
import { graphIfAny } from '#operations/graph-if-any.js';
import type { Context } from '#operations/operation.js';
import type { PresentRoles, RoleTexts } from '#ports/role-files.js';

/** Change of roles: complete new file texts, proposals by id, events, and the answer. */
export interface RolePlan<Result> {
  readonly texts?: RoleTexts;
  readonly proposals?: ReadonlyMap<string, string>;
  readonly events: readonly EventDraft[];
  readonly result: Result;
}

const NONE: ReadonlyMap<string, string> = new Map();

/**
 * Changes role files and log in one transaction: `plan` sees the current files, and nothing is kept without its events.
 * Without a graph, only the files are written. A repeated request gets its first answer, even if it could not be
 * planned any more.
 */
export async function changeRoles<Result>(
  context: Pick<Context, 'roleFiles' | 'graph'>,
  writer: RoleWriter,
  request: RequestMark,
  plan: (now: PresentRoles) => RolePlan<Result> | Promise<RolePlan<Result>>,
): Promise<{ readonly result: Result; readonly seq: number }> {
  const store = await graphIfAny(context);
  return await (await context.roleFiles()).change(writer, async (now, write) => {
    const planned = await planOrRefusal(() => plan(now));
    if ('refusal' in planned) {
      if (!store) throw planned.refusal;
      const refuse = () => {
        throw planned.refusal;
      };
      return await store.commit<Result>(refuse, request);
    }
    const { texts = NONE, proposals = NONE, events, result } = planned;
    const before = (await store?.view())?.seq ?? 0;
    let answer = { result, seq: before };
    const untold = events.length === 0 && texts.size + proposals.size > 0;
    if (!store || untold) {
      await write({ texts, proposals }, undefined, async () => true);
      return answer;
    }
    await write({ texts, proposals }, before, async (change) => {
      let entered = false;
      const decide = () => {
        entered = true;
        return { events: withChangeMark(events, change), result };
      };
      const committed = await store.commit(decide, request);
      answer = { result: committed.result, seq: committed.seq };
      return entered;
    });
    return answer;
  });
}

/** Defers a refusal until the log has been checked for an earlier answer to the request. */
async function planOrRefusal<Result>(
  plan: () => RolePlan<Result> | Promise<RolePlan<Result>>,
): Promise<RolePlan<Result> | { readonly refusal: unknown }> {
  try {
    return await plan();
  } catch (refusal) {
    return { refusal };
  }
}
