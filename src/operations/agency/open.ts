/**
 * `role|tradeoff|agent …`, `agency init`, `evaluate …`, `evolve …`: changing entities and graph together, recording
 * scores for the executor of a task, changes of roles that a model proposes.
 * @packageDocumentation
 */
import type { Agency } from '#core/agency/agency.js';
import type { Entity } from '#core/agency/entities.js';
import { fileText } from '#core/agency/entity-text.js';
import { agencyOf } from '#core/agency/read.js';
import type { EventDraft, Plan } from '#core/graph/event.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import { FROM_PROJECT } from '#kernel/graph-folder.js';
import { committedIn, withChangeMark } from '#operations/change-mark.js';
import { graphIfAny } from '#operations/graph-if-any.js';
import type { Context } from '#operations/operation.js';
import type { AgencyFile, AgencyFiles } from '#ports/agency.js';
import type { GraphStore } from '#ports/graph-store.js';

interface Parts {
  agency(): Promise<Pick<AgencyFiles, 'read' | 'change'>>;
  graph(): Promise<GraphStore>;
}

/** Change of the agency: entities and records to write, their events, and the answer. */
export interface AgencyPlan<Result> {
  readonly entities?: readonly Entity[];
  readonly files?: readonly AgencyFile[];
  readonly events: readonly EventDraft[];
  readonly result: Result;
}

/** Runs `work` on the agency while its lock is held. */
export async function withAgencyLock<Result>(
  context: Parts,
  work: (agency: Agency) => Promise<Result>,
): Promise<Result> {
  const files = await context.agency();
  return await files.change(
    committedIn(context),
    async ({ records, warnings }) => await work(agencyOf(records, warnings)),
  );
}

interface Changed<Result> {
  readonly result: Result;
  readonly seq: number;
  readonly view: GraphView | undefined;
}

/**
 * Changes entities and graph in one transaction: `planWith` sees both in their current state, and the files are put in
 * place only once the events are in the log. Without a graph there are no events. A repeated request gets its first
 * answer. `look` reads other data that must not change meanwhile.
 */
export async function changeAgency<Result>(
  context: Parts & Pick<Context, 'request'>,
  planWith: (agency: Agency, view: GraphView | undefined) => AgencyPlan<Result>,
): Promise<Changed<Result>>;
export async function changeAgency<Result, Facts>(
  context: Parts & Pick<Context, 'request'>,
  planWith: (agency: Agency, view: GraphView | undefined, facts: Facts) => AgencyPlan<Result>,
  look: () => Promise<Facts>,
): Promise<Changed<Result>>;
export async function changeAgency<Result, Facts>(
  context: Parts & Pick<Context, 'request'>,
  planWith: (agency: Agency, view: GraphView | undefined, facts: Facts) => AgencyPlan<Result>,
  look?: () => Promise<Facts>,
): Promise<Changed<Result>> {
  const store = await graphIfAny(context);
  return await (await context.agency()).change(committedIn(context), async ({ records, warnings }, write) => {
    const agency = agencyOf(records, warnings);
    const facts = (await look?.()) as Facts; // a plan with facts always comes with `look`
    const plan = (current: Agency, view: GraphView | undefined) => planWith(current, view, facts);
    const before = await store?.view();
    const planned = plan(agency, before);
    for (const entity of planned.entities ?? []) refuseLeftOut(agency, entity);
    let answer = { result: planned.result, seq: before?.seq ?? 0 };
    const files = filesOf(planned);
    if (!store) {
      await write(files, undefined, async () => true);
      return { ...answer, view: undefined };
    }
    const commit = async (change: string) => {
      let decided = false;
      const committed = await store.commit((view): Plan<Result> => {
        const now = view.seq === before?.seq ? planned : plan(agency, view); // throws if the graph changed in between
        decided = true;
        return { events: withChangeMark(now.events, change), result: now.result };
      }, context.request);
      answer = { result: committed.result, seq: committed.seq };
      return decided;
    };
    if (files.length === 0) await commit('');
    else await write(files, before?.seq ?? 0, commit);
    return { ...answer, view: await store.view() };
  });
}

/** Refuses to overwrite a hand-written file that could not be parsed. */
function refuseLeftOut(agency: Agency, { kind, id }: Entity): void {
  const leftOut = agency.rejectedFileWarning(kind, id);
  if (leftOut === undefined) return;
  throw new TroupeError('unreadable', {
    what: `${FROM_PROJECT.agency}/${leftOut}`,
    hint: 'Restore the content of the file, or remove it.',
  });
}

function filesOf({ entities = [], files = [] }: AgencyPlan<unknown>): AgencyFile[] {
  const own = entities.map((entity) => ({
    kind: entity.kind,
    id: entity.id,
    retired: entity.retired === true,
    text: fileText(entity),
  }));
  return [...own, ...files];
}
