import { passOnTasks } from '#core/graph/hand-over.js';
import type { GraphView } from '#core/graph/view.js';
import type { SquadPlan } from '#core/team/file-change.js';
import type { MemberChanged } from '#core/team/member-wish.js';
import { type ClientFiles, outsideOf } from '#core/team/outputs.js';
import type { Templates } from '#core/team/propose.js';
import { readSquadState, type SquadState } from '#core/team/squad-state.js';
import type { TeamWish } from '#core/team/team-wish.js';
import { TroupeError } from '#kernel/errors.js';
import { bridged, withBridge } from '#operations/agency/bridge.js';
import type { Context } from '#operations/operation.js';
import type { TeamNews } from '#ports/squad-files.js';
import { clientFilesOf } from './client-files.js';
import { templatesOf } from './draft.js';
import { refuseUnexpected } from './outside-files.js';
import { teamWishOf } from './team-wish.js';

/** What was said of files outside of `.squad/`. */
export interface OutsideWish {
  readonly clients?: boolean | undefined;
  readonly outside?: readonly string[] | undefined;
}

/** Changes one member: all that is read beforehand is read without the lock. `heard` is told whose tasks went elsewhere. */
export async function changeMember(
  context: Context,
  { clients, outside }: OutsideWish,
  plan: (wish: TeamWish) => SquadPlan<MemberChanged>,
  heard?: (news: TeamNews) => void,
): Promise<MemberChanged & { readonly outside: readonly string[] }> {
  const { squad, wishFor } = await prepare(context, clients);
  return await withBridge(context, (bridge) =>
    squad.apply((state) => {
      const wish = { ...wishFor(state), agentFor: bridge.agentFor.bind(bridge) };
      return namingOutside(bridged(bridge, plan(wish)), outside, wish.clientFiles);
    }, heard),
  );
}

/** Like `changeMember`, where two members share a name and nothing else may be written. */
export async function mendMember(
  context: Context,
  { clients, outside }: OutsideWish,
  plan: (wish: TeamWish) => SquadPlan<MemberChanged> | undefined,
): Promise<(MemberChanged & { readonly outside: readonly string[] }) | undefined> {
  const { squad, wishFor } = await prepare(context, clients);
  return await squad.mend<(MemberChanged & { readonly outside: readonly string[] }) | undefined>((texts) => {
    const wish = wishFor(readSquadState(texts));
    const mended = plan(wish);
    return mended === undefined ? { changes: [], result: undefined } : namingOutside(mended, outside, wish.clientFiles);
  });
}

/** The plan, as long as its caller expects what it writes outside of `.squad/`, which its answer names. */
function namingOutside(
  plan: SquadPlan<MemberChanged>,
  expected: readonly string[] | undefined,
  clientFiles: ClientFiles,
): SquadPlan<MemberChanged & { readonly outside: readonly string[] }> {
  refuseUnexpected(expected, plan, clientFiles);
  return { ...plan, result: { ...plan.result, outside: outsideOf(plan.changes) } };
}

async function prepare(context: Context, clients: boolean | undefined) {
  const [source, squad] = await Promise.all([context.catalog(), context.squad()]);
  const [catalog, policyText] = await Promise.all([source.load(), source.policyText()]);
  const templates: Templates = await templatesOf(source, [...catalog.archetypes.keys()]);
  const clientFiles = await clientFilesOf(context, clients);
  const wishFor = (state: SquadState) => teamWishOf(context, { state, catalog, templates, policyText, clientFiles });
  return { squad, wishFor };
}

/**
 * Tasks that a member who left, or has another name now, has all the same, as when somebody gave it one meanwhile. Those it had
 * then went elsewhere with the change itself.
 */
export async function passOn(context: Context, member: string, next?: string): Promise<readonly string[]> {
  const options = { now: context.clock.now(), by: { name: context.caller.name } };
  try {
    const store = await context.graph();
    const plan = (view: GraphView) => passOnTasks(view, [{ name: member, next }], options);
    if (plan(await store.view()).events.length === 0) return [];
    const { result } = await store.commit(plan, context.request);
    return result.tasks;
  } catch (error) {
    if (error instanceof TroupeError && error.code === 'not_initialized') return []; // a team may be without a graph
    throw error;
  }
}
