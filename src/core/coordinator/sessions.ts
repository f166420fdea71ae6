import * as z from 'zod/mini';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import { describeIssue, explainIssue } from '#kernel/issues.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { countUp, numberOf } from '#kernel/numbers.js';
import type { RunFact } from './snapshot.js';

const word = z.string().check(z.minLength(1), z.maxLength(WORK_LIMITS.idCharacters));
/** Tags or roots of a session. */
export const scopeWords = z.array(word).check(z.maxLength(WORK_LIMITS.sessionScope));

/**
 * A session as stored and displayed. It is not a task: it selects tasks and sets their client, model and concurrency.
 */
export const sessionSchema = z.object({
  id: z.int().check(z.minimum(0)),
  name: word,
  /** Selects the tasks with one of these tags, and the roots with all their descendants. */
  scope: z.object({ tags: scopeWords, roots: scopeWords }),
  /** Maximum number of concurrent runs; null: limited by the slots alone. */
  max_agents: z.nullable(z.int().check(z.minimum(1), z.maximum(WORK_LIMITS.agentsMost))),
  /** Null: the client of the service. The same holds for `model`. */
  executor: z.nullable(word),
  model: z.nullable(word),
  paused: z.boolean(),
  /** `in-progress`: active, `open`: stopped, `done`: archived. */
  status: z.enum(['in-progress', 'open', 'done']),
});
export type TaskSession = z.infer<typeof sessionSchema>;

const fileSchema = z.object({
  next_id: z.int().check(z.minimum(1)),
  coordinators: z.array(sessionSchema).check(z.maxLength(WORK_LIMITS.sessionsKept)),
});
export type Sessions = z.infer<typeof fileSchema>;

/** Session 0, which owns every task that no other session owns; it cannot be stopped, archived or deleted. */
export const REST: TaskSession = {
  id: 0,
  name: 'rest',
  scope: { tags: [], roots: [] },
  max_agents: null,
  executor: null,
  model: null,
  paused: false,
  status: 'in-progress',
};

export const NO_SESSIONS: Sessions = { next_id: 1, coordinators: [] };

/** Parses the sessions of a file. Errors: `bad_input`. */
export function sessionsFrom(value: unknown): Sessions {
  const parsed = fileSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const problem = issue ? describeIssue(explainIssue(issue, value), 'The file') : 'The file has the wrong form';
  throw new TroupeError('bad_input', { what: `service/coordinators.json: ${problem}.` });
}

/** All sessions by id, including session 0. */
export function allSessions({ coordinators }: Sessions): readonly TaskSession[] {
  const rest = coordinators.find(({ id }) => id === REST.id) ?? REST;
  return [rest, ...coordinators.filter(({ id }) => id !== REST.id)].sort((left, right) => left.id - right.id);
}

export type SessionWishes = Partial<Pick<TaskSession, 'name' | 'scope' | 'max_agents' | 'executor' | 'model'>>;

/** Adds a session. Archived sessions do not count towards the limit. Errors: `coordinator_limit`. */
export function createSession(sessions: Sessions, wishes: SessionWishes, most: number): [Sessions, TaskSession] {
  const live = sessions.coordinators.filter(({ id, status }) => id !== REST.id && status !== 'done');
  if (live.length >= most) {
    throw new TroupeError('coordinator_limit', {
      what: `There are ${live.length} sessions; coordinator.max_coordinators allows ${most}.`,
      details: { limit: most },
    });
  }
  const id = sessions.next_id;
  const session: TaskSession = { ...REST, name: `session-${id}`, ...wishes, id };
  return [{ next_id: id + 1, coordinators: [...sessions.coordinators, session] }, session];
}

/** Changes fields of a session; without `change`, deletes it. */
export function changeSession(
  sessions: Sessions,
  id: number,
  change: Partial<Pick<TaskSession, 'paused' | 'status'>> | undefined,
): [Sessions, TaskSession] {
  const match = allSessions(sessions).find((session) => session.id === id);
  if (!match) throw unknownSession(id);
  if (id === REST.id && (change === undefined || (change.status !== undefined && change.status !== 'in-progress'))) {
    throw new TroupeError('bad_input', {
      what: 'Session 0 handles all remaining tasks: it can only be paused.',
      hint: 'Run `troupe service coordinators 0 --state paused`.',
    });
  }
  const others = sessions.coordinators.filter((session) => session.id !== id);
  if (change === undefined) return [{ ...sessions, coordinators: others }, match];
  const changed = { ...match, ...change };
  const coordinators = [...others, changed].sort((left, right) => left.id - right.id);
  return [{ ...sessions, coordinators }, changed];
}

export function unknownSession(id: number): TroupeError {
  return new TroupeError('not_found', {
    what: `There is no session ${id}.`,
    hint: 'Run `troupe service coordinators`.',
  });
}

export const CHAT_TAG = 'chat';

/** Id of the task that holds the chat with a session. */
export function chatTask(session: number): string {
  return `chat-${session}`;
}

export function mayStart({ paused, status }: TaskSession): boolean {
  return !paused && status === 'in-progress';
}

/**
 * Assigns the tasks of one view of the graph to sessions: the matching session with the lowest id owns a task, else
 * session 0.
 */
export class Ownership {
  private readonly view: GraphView;
  private readonly sessions: readonly TaskSession[];
  private readonly below = new Map<number, ReadonlySet<string>>();

  constructor(view: GraphView, sessions: readonly TaskSession[]) {
    this.view = view;
    this.sessions = [...sessions].filter(({ id }) => id !== REST.id).sort((left, right) => left.id - right.id);
  }

  ownerOf(task: Task): number {
    if (this.sessions.length === 0) return REST.id;
    const tags = task.tags ?? [];
    const talk = tags.includes(CHAT_TAG) ? this.sessions.find(({ id }) => chatTask(id) === task.id) : undefined;
    if (talk) return talk.id;
    const owner = this.sessions.find(
      ({ id, scope }) => scope.tags.some((tag) => tags.includes(tag)) || this.belowRoots(id, scope.roots).has(task.id),
    );
    return owner?.id ?? REST.id;
  }

  /** The roots and their descendants. Computed once per view, and only for sessions with roots. */
  private belowRoots(session: number, roots: readonly string[]): ReadonlySet<string> {
    const cached = this.below.get(session);
    if (cached) return cached;
    const below = new Set(roots);
    for (const id of below) for (const dependent of this.view.dependents(id)) below.add(dependent);
    this.below.set(session, below);
    return below;
  }
}

export interface SessionCandidate {
  readonly task: Task;
  readonly executor: string;
}

interface Queue<Waiting extends SessionCandidate> {
  readonly session: TaskSession;
  /** Number of further runs that the session may have. */
  places: number;
  readonly waiting: Waiting[];
}

export interface SessionShare<Waiting extends SessionCandidate> {
  readonly candidate: Waiting;
  readonly session: TaskSession;
  /**
   * Marks the candidate as started, which ends the turn. A candidate that is not started uses no place of its session.
   */
  take(): void;
}

/**
 * Gives slots to the sessions in turn (round robin), starting after the session that had the last slot: no session
 * starves, not even with a single slot. Within a session its tasks keep their order.
 */
export class Turns<Waiting extends SessionCandidate> {
  private readonly queues: Queue<Waiting>[];

  constructor(
    parts: {
      readonly view: GraphView;
      readonly sessions: readonly TaskSession[];
      readonly runs: readonly RunFact[];
      readonly last: number | undefined;
    },
    waiting: (session: TaskSession, owns: (task: Task) => boolean) => readonly Waiting[],
  ) {
    const { view, runs, last = -1 } = parts;
    const sessions = parts.sessions.some(({ id }) => id === REST.id) ? parts.sessions : [REST, ...parts.sessions];
    const ownership = new Ownership(view, sessions);
    const isCapped = sessions.some(({ max_agents: most }) => most !== null);
    const running = isCapped ? runsBySession(view, runs, ownership) : new Map<number, number>();
    const byId = [...sessions].sort((left, right) => left.id - right.id);
    const inTurn = [...byId.filter(({ id }) => id > last), ...byId.filter(({ id }) => id <= last)];
    this.queues = inTurn.filter(mayStart).map((session) => ({
      session,
      places: (session.max_agents ?? Number.POSITIVE_INFINITY) - numberOf(running, session.id),
      waiting: [...waiting(session, (task) => ownership.ownerOf(task) === session.id)],
    }));
  }

  *[Symbol.iterator](): Generator<SessionShare<Waiting>> {
    for (;;) {
      const open = this.queues.filter((queue) => queue.places > 0 && queue.waiting.length > 0);
      if (open.length === 0) return;
      for (const queue of open) yield* turnsOf(queue);
    }
  }
}

/** Number of runs of each session that occupy a slot. */
function runsBySession(view: GraphView, runs: readonly RunFact[], ownership: Ownership): Map<number, number> {
  const running = new Map<number, number>();
  for (const { alive, exit, taskId } of runs) {
    const task = alive && exit === undefined ? view.task(taskId) : undefined;
    if (!task || task.status === 'waiting') continue;
    const owner = ownership.ownerOf(task);
    countUp(running, owner);
  }
  return running;
}

/** Yields the candidates of a session until one of them is started. */
function* turnsOf<Waiting extends SessionCandidate>(queue: Queue<Waiting>): Generator<SessionShare<Waiting>> {
  let started = false;
  const take = () => {
    started = true;
    queue.places--;
  };
  for (let candidate = queue.waiting.shift(); candidate !== undefined; candidate = queue.waiting.shift()) {
    yield { candidate, session: queue.session, take };
    if (started) return;
  }
}
