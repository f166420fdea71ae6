import * as z from 'zod/mini';
import { isResource, type Resource } from '#core/graph/known-resource.js';
import { REQUIRES } from '#core/graph/resource.js';
import { isTask, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { byId } from '#kernel/order.js';
import { estimateOf, isUnfinished, textsOf } from './brief.js';
import { ids, nullableText } from './shapes.js';

export const resourceUseShape = z.object({
  id: z.string(),
  name: nullableText,
  type: nullableText,
  unit: nullableText,
  /** Null if the amount is unknown; then it is never exceeded. */
  available: z.nullable(z.number()),
  /** Sum of the estimates of unfinished tasks that require it, in cost or hours according to its unit. */
  required: z.number(),
  remaining: z.nullable(z.number()),
  over: z.boolean(),
  tasks: ids,
  /** Tasks without an estimate in its measure. */
  missing_estimates: ids,
});
export type ResourceUse = z.infer<typeof resourceUseShape>;

/**
 * Requirements of unfinished tasks compared with available resources, by id. `unknown`: required, but no such resource
 * exists.
 */
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

/** Measure of a resource: hours if its unit or type says time, else cost. */
function measureOf({ unit, type }: Resource): 'hours' | 'cost' {
  return /^(h|hr|hrs|hours?|person-?hours?)$/i.test(textOf(unit) ?? '') || /^(time|hours?)$/i.test(textOf(type) ?? '')
    ? 'hours'
    : 'cost';
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
