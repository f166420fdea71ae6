import type { ShownState } from '#core/graph/status-look.js';
import type { LayoutTask } from '#core/insight/layout.js';
import type { PicturedTask } from '#surfaces/http/contract.js';

export const GROUPINGS = ['auto', 'none', 'finished', 'workflow', 'tag', 'member'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Maximum number of boxes that are readable in one graph and can be laid out at once. */
export const BOXES_MOST = 300;

/** Tasks shown as one box. */
export interface TaskGroup {
  readonly id: string;
  readonly label: string;
  readonly tasks: readonly PicturedTask[];
  /** Number of tasks per state; states that need a person come first. */
  readonly counts: readonly (readonly [ShownState, number])[];
  /** Whether its tasks can be shown individually; larger groups are shown in the table. */
  readonly opens: boolean;
}

export interface Box extends LayoutTask {
  readonly content: PicturedTask | TaskGroup;
}

export interface Boxes {
  readonly boxes: readonly Box[];
  /** Id of the box of each task. */
  readonly boxOf: ReadonlyMap<string, string>;
  /** Groups whose tasks are shown individually. */
  readonly opened: readonly TaskGroup[];
  /** Grouping that `auto` resolved to. */
  readonly by: Exclude<Grouping, 'auto'>;
}

export function isGroup(content: Box['content']): content is TaskGroup {
  return 'tasks' in content;
}

/** States by importance to a person. */
const IMPORTANCE: readonly ShownState[] = [
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

const urgency = (state: ShownState | undefined): number =>
  state === undefined ? IMPORTANCE.length : IMPORTANCE.indexOf(state);

/** Name of the group of a task; undefined if it stands alone. */
const GROUP_OF: Readonly<Record<Exclude<Grouping, 'auto'>, (task: PicturedTask) => string | undefined>> = {
  none: () => undefined,
  finished: ({ state }) => (state === 'done' || state === 'abandoned' ? 'Finished' : undefined),
  workflow: ({ tags }) => tags?.find((tag) => /^(?:wf|formation):./.test(tag))?.replace(/^\w+:/, ''),
  tag: ({ tags }) => tags?.find((tag) => !tag.includes(':')),
  member: ({ member }) => member,
};

const AUTOMATIC = ['workflow', 'finished', 'tag', 'member'] as const;

/**
 * Arranges tasks in at most `BOXES_MOST` boxes: single tasks, or their group unless it is open. A group of one is shown
 * as its task. The excess is collected in one last box. The result does not depend on the order of `tasks`.
 */
export function boxesOf(tasks: readonly PicturedTask[], by: Grouping, open: ReadonlySet<string>): Boxes {
  const used = by === 'auto' ? automatic(tasks) : by;
  const [alone, groups, opened] = parted(tasks, used, open);
  if (alone.length + groups.length > BOXES_MOST) {
    groups.sort((left, right) => urgency(left.counts[0]?.[0]) - urgency(right.counts[0]?.[0]));
    alone.sort((left, right) => urgency(left.state) - urgency(right.state));
    const rest = groups.splice(BOXES_MOST - 1).flatMap((group) => group.tasks);
    rest.push(...alone.splice(BOXES_MOST - 1 - groups.length));
    groups.push(groupOf('group:more', `${rest.length} more tasks`, rest, false));
  }
  const boxOf = new Map(alone.map(({ id }) => [id, id]));
  for (const group of groups) for (const { id } of group.tasks) boxOf.set(id, group.id);
  const after = (id: string, members: readonly PicturedTask[]) =>
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
function automatic(tasks: readonly PicturedTask[]): Boxes['by'] {
  if (tasks.length <= BOXES_MOST) return 'none';
  const sizes = AUTOMATIC.map((by) => {
    const [alone, groups] = parted(tasks, by, new Set());
    return { by, boxes: alone.length + groups.length };
  });
  const fits = sizes.find(({ boxes }) => boxes <= BOXES_MOST);
  return (fits ?? sizes.reduce((least, one) => (one.boxes < least.boxes ? one : least))).by;
}

function parted(
  tasks: readonly PicturedTask[],
  by: Boxes['by'],
  open: ReadonlySet<string>,
): [PicturedTask[], TaskGroup[], TaskGroup[]] {
  const members = new Map<string, PicturedTask[]>();
  const alone: PicturedTask[] = [];
  for (const task of tasks) {
    const name = GROUP_OF[by](task);
    const own = name === undefined ? alone : (members.get(name) ?? []);
    own.push(task);
    if (name !== undefined) members.set(name, own);
  }
  const groups: TaskGroup[] = [];
  const opened: TaskGroup[] = [];
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

function groupOf(id: string, label: string, tasks: readonly PicturedTask[], opens: boolean): TaskGroup {
  const counts = new Map<ShownState, number>();
  for (const { state } of tasks) counts.set(state, (counts.get(state) ?? 0) + 1);
  const sorted = IMPORTANCE.flatMap((state) => {
    const count = counts.get(state);
    return count === undefined ? [] : [[state, count] as const];
  });
  return { id, label, tasks, counts: sorted, opens };
}
