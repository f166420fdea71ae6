import type { ShownState } from '#core/graph/status-look.js';
import type { LayoutTask } from './layout.js';
import { type BoxGrouping, countStates, ownTags, playbookIn, type StateCounts, urgency } from './task-properties.js';

/** Maximum number of boxes that are readable in one graph and can be laid out at once. */
export const BOXES_MOST = 300;

/** Fields of a task that decide about its box. */
export interface BoxTask extends LayoutTask {
  readonly state: ShownState;
  readonly tags?: readonly string[] | undefined;
  readonly member?: string | undefined;
}

/** Tasks shown as one box. */
export interface TaskGroup<Item extends BoxTask> {
  readonly id: string;
  readonly label: string;
  readonly tasks: readonly Item[];
  /** Number of tasks per state; states that need a person come first. */
  readonly counts: StateCounts;
  /** Whether its tasks can be shown individually; larger groups are shown in the table. */
  readonly opens: boolean;
}

export interface GraphBox<Item extends BoxTask> extends LayoutTask {
  readonly content: Item | TaskGroup<Item>;
}

export interface Boxes<Item extends BoxTask> {
  readonly boxes: readonly GraphBox<Item>[];
  /** Id of the box of each task. */
  readonly boxOf: ReadonlyMap<string, string>;
  /** Groups whose tasks are shown individually. */
  readonly opened: readonly TaskGroup<Item>[];
  /** Grouping that `auto` resolved to. */
  readonly by: Exclude<BoxGrouping, 'auto'>;
}

export function isGroup<Item extends BoxTask>(content: GraphBox<Item>['content']): content is TaskGroup<Item> {
  return 'tasks' in content;
}

/** Name of the group of a task; undefined if it stands alone. */
const GROUP_OF: Readonly<Record<Exclude<BoxGrouping, 'auto'>, (task: BoxTask) => string | undefined>> = {
  none: () => undefined,
  finished: ({ state }) => (state === 'done' || state === 'abandoned' ? 'Finished' : undefined),
  playbook: ({ tags }) => playbookIn(tags),
  tag: ({ tags }) => ownTags(tags)[0],
  member: ({ member }) => member,
};

const AUTOMATIC = ['playbook', 'finished', 'tag', 'member'] as const;

/**
 * Arranges tasks in at most `BOXES_MOST` boxes: single tasks, or their group unless it is open. A group of one is shown
 * as its task. The excess is collected in one last box. The result does not depend on the order of `tasks`.
 */
export function boxesOf<Item extends BoxTask>(
  tasks: readonly Item[],
  by: BoxGrouping,
  open: ReadonlySet<string>,
): Boxes<Item> {
  const used = by === 'auto' ? automatic(tasks) : by;
  const [alone, groups, opened] = parted(tasks, used, open);
  if (alone.length + groups.length > BOXES_MOST) {
    groups.sort((left, right) => urgency(left.counts[0]?.[0]) - urgency(right.counts[0]?.[0]));
    // What a person has opened stands before what is urgent.
    const shown = new Set(opened.flatMap((group) => group.tasks));
    const rank = (task: Item) => (shown.has(task) ? -1 : urgency(task.state));
    alone.sort((left, right) => rank(left) - rank(right));
    const rest = groups.splice(BOXES_MOST - 1).flatMap((group) => group.tasks);
    rest.push(...alone.splice(BOXES_MOST - 1 - groups.length));
    groups.push(groupOf('group:more', `${rest.length} more tasks`, rest, false));
  }
  const boxOf = new Map(alone.map(({ id }) => [id, id]));
  for (const group of groups) for (const { id } of group.tasks) boxOf.set(id, group.id);
  const after = (id: string, members: readonly Item[]) =>
    [...new Set(members.flatMap((task) => task.after.map((other) => boxOf.get(other) ?? other)))].filter(
      (other) => other !== id || members.length === 1,
    );
  return {
    boxes: [
      ...groups.map((group) => ({ id: group.id, after: after(group.id, group.tasks), content: group })),
      ...alone.map((task) => ({ id: task.id, after: after(task.id, [task]), content: task })),
    ],
    boxOf,
    opened,
    by: used,
  };
}

/** First grouping that fits into `BOXES_MOST` boxes; otherwise the one with the fewest. */
function automatic(tasks: readonly BoxTask[]): Exclude<BoxGrouping, 'auto'> {
  if (tasks.length <= BOXES_MOST) return 'none';
  const sizes = AUTOMATIC.map((by) => {
    const [alone, groups] = parted(tasks, by, new Set());
    return { by, boxes: alone.length + groups.length };
  });
  const fits = sizes.find(({ boxes }) => boxes <= BOXES_MOST);
  return (fits ?? sizes.reduce((least, one) => (one.boxes < least.boxes ? one : least))).by;
}

function parted<Item extends BoxTask>(
  tasks: readonly Item[],
  by: Exclude<BoxGrouping, 'auto'>,
  open: ReadonlySet<string>,
): [Item[], TaskGroup<Item>[], TaskGroup<Item>[]] {
  const members = new Map<string, Item[]>();
  const alone: Item[] = [];
  for (const task of tasks) {
    const name = GROUP_OF[by](task);
    const own = name === undefined ? alone : (members.get(name) ?? []);
    own.push(task);
    if (name !== undefined) members.set(name, own);
  }
  const groups: TaskGroup<Item>[] = [];
  const opened: TaskGroup<Item>[] = [];
  for (const [name, own] of members) {
    const group = groupOf(`group:${by}:${name}`, name, own, true);
    if (own.length === 1) alone.push(...own);
    else if (open.has(group.id)) {
      alone.push(...own);
      opened.push(group);
    } else groups.push(group);
  }
  return [alone, groups, opened];
}

function groupOf<Item extends BoxTask>(
  id: string,
  label: string,
  tasks: readonly Item[],
  opens: boolean,
): TaskGroup<Item> {
  return { id, label, tasks, counts: countStates(tasks), opens };
}
