import { CHAT_TAG, chatTask, type TaskSession } from '#core/coordinator/sessions.js';
import type { Tick } from '#core/coordinator/tick.js';
import type { EventDraft } from '#core/graph/event.js';
import { reopenTask } from '#core/graph/moves.js';
import { isTerminal } from '#core/graph/task.js';
import { numberField, taskField } from '#core/graph/task-field.js';
import type { BaseDecision, Part } from './tick.js';

const DELIVERED = taskField('chat_delivered', numberField);

const COORDINATOR = { name: 'coordinator' };

/** Facts about sessions and the chat messages sent to them. */
export interface WithSessions {
  /** Sessions created by people; if there are none, all tasks share one queue. */
  readonly sessions: readonly TaskSession[];
  /** Number of the latest message from a person that a session's chat task has not read, keyed by session. */
  readonly inbox: ReadonlyMap<number, number>;
  /** Clients named by sessions that can be started here. */
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
 * Phase 0: reopens the chat task of a session that has unread messages from a person, if that task had ended. A chat
 * task at work reads its messages itself. Each message reopens the task at most once: a client that reads nothing costs
 * no second run.
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
