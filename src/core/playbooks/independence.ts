import { AGENT } from '#core/graph/assignee.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { FORMATIONS, placeOf } from './formation.js';
import { SKEPTIC } from './panel.js';
import { recordOf } from './record.js';

/**
 * Agents that may not take this task: the verifier of a sweep may not be one of its scouts, and vice versa. Empty for
 * all other tasks.
 */
export function barredAgents(view: GraphView, task: Task): ReadonlySet<string> {
  const place = placeOf(task.tags);
  if (place?.lane !== FORMATIONS.sweep.lane || place.seat === undefined) return NO_AGENTS;
  const record = recordOf(view, place.run);
  if (record === undefined) return NO_AGENTS;
  const scouts = new Set(record.seats.map(({ name }) => name));
  const isOther =
    place.seat === SKEPTIC
      ? (seat: string) => scouts.has(seat)
      : scouts.has(place.seat)
        ? (seat: string) => seat === SKEPTIC
        : () => false;
  const agents = record.tasks.flatMap((id) => {
    const other = view.task(id);
    const agent = other && isOther(placeOf(other.tags)?.seat ?? '') ? AGENT.of(other) : undefined;
    return typeof agent === 'string' ? [agent] : [];
  });
  return new Set(agents);
}

const NO_AGENTS: ReadonlySet<string> = new Set();
