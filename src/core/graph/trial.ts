import { isJsonObject, type JsonObject } from '#kernel/json.js';
import type { Task } from './task.js';
import { taskField } from './task-field.js';
import type { GraphView } from './view.js';

/** A finished task done again by another agent for comparison. Its results are never kept. */
export interface Trial {
  /** The commit at which the original task started. */
  readonly base: string;
  /** Role and trade-off under test: records of the agency, used instead of those of the task's agent. */
  readonly role: JsonObject | undefined;
  readonly tradeoff: JsonObject | undefined;
}

const PREFIX = '.trial-';
const COMMIT = /^[0-9a-f]{40,64}$/;

const TRIAL = taskField('trial', (value): Trial | undefined => {
  if (!isJsonObject(value)) return undefined;
  const { base, role, tradeoff } = value;
  if (typeof base !== 'string' || !COMMIT.test(base)) return undefined;
  return {
    base,
    role: isJsonObject(role) ? role : undefined,
    tradeoff: isJsonObject(tradeoff) ? tradeoff : undefined,
  };
});

/** Id of a trial task: only the program may use ids that begin with a full stop. */
export function trialId(name: string): string {
  return `${PREFIX}${name}`;
}

export function isTrialId(id: string): boolean {
  return id.startsWith(PREFIX);
}

/** Undefined for a task without a trial id, regardless of its fields. */
export function trialOf(task: Task | undefined): Trial | undefined {
  return task !== undefined && isTrialId(task.id) ? TRIAL.of(task) : undefined;
}

/** Ids of all trial tasks in the graph. Reads the whole graph. */
export function trialsIn(view: GraphView): string[] {
  const ids: string[] = [];
  for (const { id } of view.nodes()) if (isTrialId(id)) ids.push(id);
  return ids;
}
