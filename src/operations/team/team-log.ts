import type { Entry, EventDraft } from '#core/graph/event.js';
import { passOnTasks } from '#core/graph/member.js';
import type { TeamChange } from '#core/team/team-change.js';
import type { Clock } from '#kernel/clock.js';
import { graphIfAny } from '#operations/graph-if-any.js';
import type { Context } from '#operations/operation.js';
import type { GraphStore } from '#ports/graph-store.js';
import type { TeamFollower, TeamNews } from '#ports/squad-files.js';

const OPERATION = 'team';

/**
 * The log of the graph tells of every change of the team, and in the same commit whoever left is taken off its tasks. An event
 * names its change, so that it stands there once, however often the change is carried out.
 */
export class TeamLog implements TeamFollower {
  readonly name = 'log';
  private readonly graph: () => Promise<GraphStore>;
  private readonly clock: Clock;

  constructor(graph: () => Promise<GraphStore>, clock: Clock) {
    this.graph = graph;
    this.clock = clock;
  }

  /** Where the log ends: from there on an event of the change may stand. Whoever may not write it is refused here. */
  async prepare(): Promise<number> {
    const store = await graphIfAny({ graph: this.graph });
    return store ? (await store.commit(() => ({ events: [], result: undefined }))).seq : 0;
  }

  async follow(change: TeamChange, mark: number): Promise<TeamNews> {
    const store = await graphIfAny({ graph: this.graph });
    if (!store || change.snapshot === undefined) return { tasks: [] };
    const earlierNews = await newsInLog(store, String(change.snapshot.snapshotId), mark);
    if (earlierNews) return earlierNews;
    const by = { name: change.snapshot.by ?? 'troupe' };
    const options = { now: this.clock.now(), by };
    const { result } = await store.commit((view) => {
      const { events, result: news } = passOnTasks(view, change.left, options);
      return { events: [eventOf(change, by.name, news), ...events], result: news };
    });
    return result;
  }
}

/** The result of an earlier change: whoever asks for it again gets the same answer. */
export async function earlierAnswer({ graph }: Pick<Context, 'graph'>, change: string): Promise<TeamNews> {
  const store = await graphIfAny({ graph });
  return (store && (await newsInLog(store, change, 0))) ?? { tasks: [] };
}

/** What the log says of a change after `mark`; undefined when it says nothing. */
async function newsInLog(store: GraphStore, change: string, mark: number): Promise<TeamNews | undefined> {
  for await (const entry of store.entries(mark + 1)) {
    if (entry.op === OPERATION && entry.detail?.['operation'] === change) return newsOf(entry);
  }
  return undefined;
}

function newsOf({ detail }: Entry): TeamNews {
  const tasks = detail?.['tasks'];
  return { tasks: Array.isArray(tasks) ? tasks.filter((task): task is string => typeof task === 'string') : [] };
}

function eventOf({ snapshot, left: leavers }: TeamChange, actor: string, news: TeamNews): EventDraft {
  const { snapshotId = '', intent = '', universe = '', leader = '', members = [], addedMembers = [] } = snapshot ?? {};
  const detail = {
    operation: snapshotId,
    ...{ intent: intent.toLowerCase(), universe, leader, members },
    added: addedMembers,
    left: leavers.map(({ name }) => name),
    tasks: [...news.tasks],
  };
  return { op: OPERATION, actor, detail, patch: [] };
}
