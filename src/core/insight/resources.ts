import { isResource, REQUIRES, type Resource } from '#core/graph/resource.js';
import { isTask, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { byId } from '#kernel/order.js';
import { estimateOf, isUnfinished, textsOf } from './brief.js';

export interface ResourceUse {
  readonly id: string;
  readonly name: string | null;
  readonly type: string | null;
  readonly unit: string | null;
  /** Null when nobody said how much there is; then nothing is too much. */
  readonly available: number | null;
  /** What the unfinished tasks that require it are estimated at, in cost or hours as its unit says. */
  readonly required: number;
  readonly remaining: number | null;
  readonly over: boolean;
  readonly tasks: readonly string[];
  /** Those of the tasks that say nothing of what it takes. */
  readonly missing_estimates: readonly string[];
}

/** What the unfinished tasks require, against what there is; by id. `unknown`: required, and no such resource there. */
export function resourceUse(view: GraphView): {
  readonly resources: readonly ResourceUse[];
  readonly unknown: readonly { readonly id: string; readonly tasks: readonly string[] }[];
} {
  const resources = new Map<string, Resource>();
  const requiredBy = new Map<string, Task[]>();
  for (const node of view.nodes()) {
    if (isResource(node)) resources.set(node.id, node);
    if (!isTask(node) || !isUnfinished(node)) continue;
    for (const id of new Set(textsOf(REQUIRES.of(node)))) {
      const tasks = requiredBy.get(id);
      if (tasks) tasks.push(node);
      else requiredBy.set(id, [node]);
    }
  }
  for (const tasks of requiredBy.values()) tasks.sort(byId);
  return {
    resources: [...resources.values()].sort(byId).map((resource) => useOf(resource, requiredBy.get(resource.id) ?? [])),
    unknown: [...requiredBy]
      .filter(([id]) => !resources.has(id))
      .map(([id, tasks]) => ({ id, tasks: tasks.map((task) => task.id) }))
      .sort(byId),
  };
}

const PLACES = 10_000;

function useOf(resource: Resource, tasks: readonly Task[]): ResourceUse {
  const what = measureOf(resource);
  const estimates = tasks.map((task) => estimateOf(task, what));
  const required = estimates.reduce<number>((sum, value) => sum + Math.round((value ?? 0) * PLACES), 0) / PLACES;
  const amount: unknown = resource.available;
  const available = typeof amount === 'number' && Number.isFinite(amount) ? amount : null;
  return {
    id: resource.id,
    name: textOf(resource.name),
    type: textOf(resource.type),
    unit: textOf(resource.unit),
    available,
    required,
    remaining: available === null ? null : Math.round((available - required) * PLACES) / PLACES,
    over: available !== null && required > available,
    tasks: tasks.map((task) => task.id),
    missing_estimates: tasks.filter((_, place) => estimates[place] === undefined).map((task) => task.id),
  };
}

/** Time is what is counted in hours, or said to be time; everything else costs. */
function measureOf({ unit, type }: Resource): 'hours' | 'cost' {
  return /^(h|hr|hrs|hours?|person-?hours?)$/i.test(textOf(unit) ?? '') || /^(time|hours?)$/i.test(textOf(type) ?? '')
    ? 'hours'
    : 'cost';
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
