import type { EventDraft, Plan } from '#core/graph/event.js';
import type { WaitCondition, WaitSpec } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';

const MESSAGE = 'message';

/** Record that a message was sent to a task. The text itself is stored with the messages, not in the graph. */
export interface MessageFact {
  readonly message_id: string;
  /** Its number within the conversation of the task. */
  readonly number: number;
  /** The author: name of a person, id of a run. */
  readonly from: string;
  /** Kind of the author as determined by the channel; a message cannot claim it itself. */
  readonly kind: 'person' | 'run' | 'coordinator';
}

/**
 * Event that records a message in the graph. It changes no task by itself; tasks that wait for one wake in the same
 * group.
 */
export function messageTask(view: GraphView, id: string, fact: MessageFact): Plan<{ readonly id: string }> {
  const { message_id, number, from, kind } = fact;
  taskOf(view, id);
  return {
    events: [{ op: MESSAGE, task_id: id, actor: from, detail: { message_id, number, kind }, patch: [] }],
    result: { id },
  };
}

/**
 * Returns the wait updated by a message event that counts for it; undefined otherwise. Every message counts as a
 * message, except those of the waiting run itself; one by a person also counts as human input.
 */
export function waitAfterMessage(wait: WaitSpec, event: EventDraft): WaitSpec | undefined {
  if (event.op !== MESSAGE) return undefined;
  const person = event.detail?.['kind'] === 'person';
  const own = !person && wait.by !== undefined && event.actor === wait.by;
  const counts = ({ type }: WaitCondition) => (type === 'message' && !own) || (type === 'human-input' && person);
  if (!wait.conditions.some(counts)) return undefined;
  const conditions = wait.conditions.map((condition) => (counts(condition) ? { ...condition, seen: true } : condition));
  return { ...wait, conditions };
}
