import { CHAT_TAG, chatTask, type TaskSession } from '#core/coordinator/sessions.js';
import type { Tick } from '#core/coordinator/tick.js';
import type { EventDraft } from '#core/graph/event.js';
import { reopenTask } from '#core/graph/moves.js';
import { isTerminal } from '#core/graph/task.js';
import { numberField, taskField } from '#core/graph/task-field.js';
import type { BaseDecision, Part } from './tick.js';

const DELIVERED = taskField('chat_delivered', numberField);

const COORDINATOR = { name: 'coordinator' };

/** A tick that knows the sessions, and what was said to them. */
export interface WithSessions {
  /** Those that a person made; none: everything is one. */
  readonly sessions: readonly TaskSession[];
  /** By session: the number of the latest message of a person that its chat task has not read. */
  readonly inbox: ReadonlyMap<number, number>;
  /** The clients that they name and that can be started here. */
  readonly executors: ReadonlySet<string>;
}

interface ChatDecision extends BaseDecision {
  readonly do: 'deliver-chat';
  readonly session: number;
  readonly task: string;
}

export const sessions: Part<WithSessions, ChatDecision> = {
  none: { sessions: [], inbox: new Map(), executors: new Set() },
  decide: chat,
};

/**
 * Phase 0: what a person wrote to a session and nobody has read goes to its chat task, which is opened again when it had
 * ended. One that is at work reads for itself. A message opens it once: a client that does not read costs no second run.
 */
function chat(tick: Tick<WithSessions, ChatDecision>): void {
  const inbox = [...tick.facts.inbox].sort(([left], [right]) => left - right);
  for (const [session, unread] of inbox) {
    const task = tick.graph.task(chatTask(session));
    if (!task?.tags?.includes(CHAT_TAG) || !isTerminal(task.status)) continue;
    const delivered = DELIVERED.of(task) ?? 0;
    if (unread <= delivered) continue;
    const reason = `Session ${session} was written to`;
    const opened = tick.act(reopenTask(tick.graph, task.id, { now: tick.now, by: COORDINATOR, reason }));
    const mark: EventDraft = {
      op: 'edit',
      task_id: task.id,
      actor: COORDINATOR.name,
      patch: [{ id: task.id, set: { chat_delivered: unread } }],
    };
    const events = [...opened, ...tick.act({ events: [mark], result: undefined })];
    tick.want({ do: 'deliver-chat', session, task: task.id, reason, events });
  }
}
