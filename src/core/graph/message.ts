import type { EventDraft, Plan } from '#core/graph/event.js';
import type { WaitCondition, WaitSpec } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';

const MESSAGE = 'message';

/** That somebody wrote to a task. The text itself is kept with the messages, not with the graph. */
export interface MessageFact {
  readonly message_id: string;
  /** Its number within the conversation of the task. */
  readonly number: number;
  /** Who wrote: a person's name, a run's id. */
  readonly from: string;
  /** What kind of caller that was, as the channel knows; a message cannot say it of itself. */
  readonly kind: 'person' | 'run' | 'coordinator';
}

/** The event that tells the graph of a message. It changes no task by itself; what waits for one wakes in the same group. */
export function messageTask(view: GraphView, id: string, fact: MessageFact): Plan<{ readonly id: string }> {
  const { message_id, number, from, kind } = fact;
  taskOf(view, id);
  return {
    events: [{ op: MESSAGE, task_id: id, actor: from, detail: { message_id, number, kind }, patch: [] }],
    result: { id },
  };
}

/**
 * A wait after this event, when the event is a message that counts for it; undefined otherwise. Every message but one of
 * the run that waits counts as a message, one of a person as a word from a person too.
 */
export function heardBy(wait: WaitSpec, event: EventDraft): WaitSpec | undefined {
  if (event.op !== MESSAGE) return undefined;
  const person = event.detail?.['kind'] === 'person';
  const own = !person && wait.by !== undefined && event.actor === wait.by;
  const counts = ({ type }: WaitCondition) => (type === 'message' && !own) || (type === 'human-input' && person);
  if (!wait.conditions.some(counts)) return undefined;
  const conditions = wait.conditions.map((condition) => (counts(condition) ? { ...condition, seen: true } : condition));
  return { ...wait, conditions };
}
