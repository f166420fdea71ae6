import { CHAT_TAG, chatTask } from '#core/coordinator/sessions.js';
import type { Tick } from '#core/coordinator/tick.js';
import type { EventDraft } from '#core/graph/event.js';
import { reopenTask } from '#core/graph/moves.js';
import { isTerminal } from '#core/graph/task.js';

const COORDINATOR = { name: 'coordinator' };

/**
 * Phase 0: what a person wrote to a session and nobody has read goes to its chat task, which is opened again when it had
 * ended. One that is at work reads for itself. A message opens it once: a client that does not read costs no second run.
 */
export function chat(tick: Tick): void {
  const inbox = [...(tick.snapshot.inbox ?? [])].sort(([left], [right]) => left - right);
  for (const [session, unread] of inbox) {
    const task = tick.graph.task(chatTask(session));
    if (!task?.tags?.includes(CHAT_TAG) || !isTerminal(task.status)) continue;
    const delivered = typeof task['chat_delivered'] === 'number' ? task['chat_delivered'] : 0;
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
    tick.decisions.push({ do: 'deliver-chat', session, task: task.id, reason, events });
  }
}
