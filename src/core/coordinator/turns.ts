import { mayStart, Ownership, REST, type Session } from '#core/coordinator/sessions.js';
import type { RunFact } from '#core/coordinator/snapshot.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';

export interface Candidate {
  readonly task: Task;
  readonly executor: string;
}

interface Queue<Waiting extends Candidate> {
  readonly session: Session;
  /** How many more of it may run. */
  left: number;
  readonly waiting: Waiting[];
}

export interface Turn<Waiting extends Candidate> {
  readonly found: Waiting;
  readonly session: Session;
  /** It is started: the turn is over. One that is not takes nothing from its session. */
  take(): void;
}

/**
 * Slots go to the sessions in turn, beginning after the one that had the last, so that none of them starves with a single
 * slot either. Within a session the order of its tasks stands.
 */
export class Turns<Waiting extends Candidate> {
  private readonly queues: Queue<Waiting>[];

  constructor(
    parts: {
      readonly view: GraphView;
      readonly sessions: readonly Session[];
      readonly runs: readonly RunFact[];
      readonly last: number | undefined;
    },
    waiting: (session: Session, owns: (task: Task) => boolean) => readonly Waiting[],
  ) {
    const { view, runs, last = -1 } = parts;
    const sessions = parts.sessions.some(({ id }) => id === REST.id) ? parts.sessions : [REST, ...parts.sessions];
    const ownership = new Ownership(view, sessions);
    const running = new Map<number, number>();
    for (const { alive, exit, taskId } of runs) {
      const task = alive && exit === undefined ? view.task(taskId) : undefined;
      if (!task || task.status === 'waiting') continue;
      const owner = ownership.ownerOf(task);
      running.set(owner, (running.get(owner) ?? 0) + 1);
    }
    const byId = [...sessions].sort((left, right) => left.id - right.id);
    const inTurn = [...byId.filter(({ id }) => id > last), ...byId.filter(({ id }) => id <= last)];
    this.queues = inTurn.filter(mayStart).map((session) => ({
      session,
      left: (session.max_agents ?? Number.POSITIVE_INFINITY) - (running.get(session.id) ?? 0),
      waiting: [...waiting(session, (task) => ownership.ownerOf(task) === session.id)],
    }));
  }

  *[Symbol.iterator](): Generator<Turn<Waiting>> {
    for (;;) {
      const open = this.queues.filter((queue) => queue.left > 0 && queue.waiting.length > 0);
      if (open.length === 0) return;
      for (const queue of open) yield* turnsOf(queue);
    }
  }
}

/** What a session puts forward until one of it is started. */
function* turnsOf<Waiting extends Candidate>(queue: Queue<Waiting>): Generator<Turn<Waiting>> {
  let taken = false;
  const take = () => {
    taken = true;
    queue.left--;
  };
  for (let found = queue.waiting.shift(); found !== undefined; found = queue.waiting.shift()) {
    yield { found, session: queue.session, take };
    if (taken) return;
  }
}
