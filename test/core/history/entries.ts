import type { Entry, EventDraft, Plan } from '#core/graph/event.js';
import { GraphState } from '#core/graph/state.js';
import { timestamp } from '#kernel/clock.js';

/** A graph and its log in memory, with one second between events. */
export class History {
  readonly state = new GraphState();
  readonly entries: Entry[] = [];
  now = Date.parse('2026-03-21T10:00:00.000Z');

  do(plan: Plan<unknown>): this {
    for (const draft of plan.events) this.event(draft);
    return this;
  }

  event(draft: EventDraft): this {
    const seq = this.entries.length + 1;
    const entry: Entry = { seq, id: `e${seq}`, timestamp: timestamp(this.now), ...draft };
    this.entries.push(entry);
    this.state.apply(entry);
    this.now += 1_000;
    return this;
  }

  /** Adds a whole task at once, as an edit by hand does. */
  put(id: string, fields: Record<string, unknown> = {}): this {
    const task = { kind: 'task', id, title: `Task ${id}`, status: 'open', ...fields };
    return this.event({ op: 'add_task', task_id: id, actor: 'ann', patch: [{ id, put: task as never }] });
  }
}
