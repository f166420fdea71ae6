import { isJsonObject, type JsonObject } from '#kernel/json.js';
import type { Task } from './task.js';
import { taskField } from './task-field.js';
import type { GraphView } from './view.js';

/** A finished task that is done once more to see how somebody else does it. Nothing that comes of it stays. */
export interface Trial {
  /** The commit that the task itself began from. */
  readonly base: string;
  /** Who tries it: records of the agency, instead of what the agent of the task is made of. */
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

/** The id of a trial: only the program gives ids that begin with a full stop. */
export function trialId(name: string): string {
  return `${PREFIX}${name}`;
}

export function isTrialId(id: string): boolean {
  return id.startsWith(PREFIX);
}

/** Undefined for every other task, whatever stands on it. */
export function trialOf(task: Task | undefined): Trial | undefined {
  return task !== undefined && isTrialId(task.id) ? TRIAL.of(task) : undefined;
}

/** The trials that are in the graph, whoever began them. Looks at all of it. */
export function trialsIn(view: GraphView): string[] {
  const ids: string[] = [];
  for (const { id } of view.nodes()) if (isTrialId(id)) ids.push(id);
  return ids;
}
