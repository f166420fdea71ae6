import type { ShownState } from '#core/graph/status-look.js';

/** Properties by which lists and pictures of tasks are filtered and grouped. */
export const TASK_PROPERTIES = ['state', 'member', 'tag', 'playbook', 'worker'] as const;
export type TaskProperty = (typeof TASK_PROPERTIES)[number];

/** Ways to put the tasks of a graph into boxes; `auto` takes the first one that makes a picture of it. */
export const GROUPINGS = ['auto', 'none', 'finished', 'playbook', 'tag', 'member'] as const;
export type BoxGrouping = (typeof GROUPINGS)[number];

export const SORTS = ['title', 'state', 'member', 'playbook', 'created', 'started', 'finished', 'time'] as const;
export type Sort = (typeof SORTS)[number];

/** Stands for a task without the property, in a filter. */
export const WITHOUT = '-';

/** States by importance to a person. */
export const IMPORTANCE: readonly ShownState[] = [
  'failed',
  'blocked',
  'waiting',
  'pending-validation',
  'in-progress',
  'ready',
  'open',
  'done',
  'abandoned',
];

export const urgency = (state: ShownState | undefined): number =>
  state === undefined ? IMPORTANCE.length : IMPORTANCE.indexOf(state);

/** Playbook whose step a task is, by its tag. */
export function playbookIn(tags: readonly string[] | undefined): string | undefined {
  return tags?.find((tag) => /^(?:wf|formation):./.test(tag))?.replace(/^\w+:/, '');
}

/** Tags that people gave: those of Troupe have a colon. */
export function ownTags(tags: readonly string[] | undefined): readonly string[] {
  return tags?.filter((tag) => !tag.includes(':')) ?? [];
}

export type StateCounts = readonly (readonly [ShownState, number])[];

/** Number of tasks per state, the most important state first. */
export function countStates(tasks: Iterable<{ readonly state: ShownState }>): StateCounts {
  const counts = new Map<ShownState, number>();
  for (const { state } of tasks) counts.set(state, (counts.get(state) ?? 0) + 1);
  return IMPORTANCE.flatMap((state) => {
    const count = counts.get(state);
    return count === undefined ? [] : [[state, count] as const];
  });
}
