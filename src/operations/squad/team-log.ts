import type { Entry, EventDraft } from '#core/graph/event.js';
import { reassignTasks } from '#core/graph/member.js';
import type { TeamChange } from '#core/squad/team-change.js';
import type { Clock } from '#kernel/clock.js';
import { committedIn } from '#operations/change-mark.js';
import { graphIfAny } from '#operations/graph-if-any.js';
import type { Context } from '#operations/operation.js';
import type { GraphStore } from '#ports/graph-store.js';
import type { TeamCommits, TeamConsequences } from '#ports/squad-files.js';

const OPERATION = 'team';

/**
 * Commits each membership change to the log of the graph and, in the same commit, unassigns the tasks of former members
 * or passes them on after a rename. The entry records the name of the change, by which a later call detects that it is
 * already committed.
 */
export class TeamLog implements TeamCommits {
  private readonly graph: () => Promise<GraphStore>;
  private readonly clock: Clock;

  constructor(graph: () => Promise<GraphStore>, clock: Clock) {
    this.graph = graph;
    this.clock = clock;
  }

  async end(): Promise<number | undefined> {
    const store = await graphIfAny({ graph: this.graph });
    return store && (await store.commit(() => ({ events: [], result: undefined }))).seq;
  }

  async enter(change: TeamChange, name: string): Promise<TeamConsequences> {
    const by = { name: change.snapshot?.by ?? 'troupe' };
    const options = { now: this.clock.now(), by };
    const { result } = await (await this.graph()).commit((view) => {
      const { events, result: news } = reassignTasks(view, change.left, options);
      return { events: [eventOf(change, { by: by.name, name }, news), ...events], result: news };
    });
    return result;
  }

  async has(name: string, after: number): Promise<boolean> {
    return await committedIn({ graph: this.graph })(name, after);
  }
}

/** Returns the result of an earlier change, so a repeated request gets the same answer. */
export async function earlierAnswer({ graph }: Pick<Context, 'graph'>, change: string): Promise<TeamConsequences> {
  const store = await graphIfAny({ graph });
  return (store && (await newsInLog(store, change))) ?? { tasks: [] };
}

async function newsInLog(store: GraphStore, change: string): Promise<TeamConsequences | undefined> {
  for await (const entry of store.entries(1)) {
    if (entry.op === OPERATION && entry.detail?.['operation'] === change) return newsOf(entry);
  }
  return undefined;
}

function newsOf({ detail }: Entry): TeamConsequences {
  const tasks = detail?.['tasks'];
  return { tasks: Array.isArray(tasks) ? tasks.filter((task): task is string => typeof task === 'string') : [] };
}

function eventOf(
  { snapshot, left: leavers }: TeamChange,
  { by, name }: { readonly by: string; readonly name: string },
  news: TeamConsequences,
): EventDraft {
  const { snapshotId = '', intent = '', universe = '', leader = '', members = [], addedMembers = [] } = snapshot ?? {};
  const detail = {
    operation: snapshotId,
    change: name,
    intent: intent.toLowerCase(),
    universe,
    leader,
    members,
    added: addedMembers,
    left: leavers.map(({ name }) => name),
    tasks: [...news.tasks],
  };
  return { op: OPERATION, actor: by, detail, patch: [] };
}
