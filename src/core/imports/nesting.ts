import { components } from '#core/graph/cycles.js';
import { isTerminal } from '#core/graph/task.js';
import { TroupeError } from '#kernel/errors.js';
import { IMPORT_LIMITS } from '#kernel/limits/imports.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { compareText } from '#kernel/order.js';
import type { ImportedTask } from './imported-task.js';

export interface Dependencies {
  /** Keys that each task waits for: those of the tracker first, then those that follow from nesting, sorted. */
  readonly after: ReadonlyMap<string, readonly string[]>;
  /** Key of the task that each nested task is a part of. */
  readonly epics: ReadonlyMap<string, string>;
  readonly warnings: readonly string[];
}

/**
 * Adds the dependencies that nesting implies. A task waits for the tasks nested in it, because it is complete when
 * they are; those have all dependencies of the task. Dependencies that the tracker states go first: one implied by
 * nesting that would close a cycle is left out. Linear in the number of dependencies. Errors: `too_large`.
 */
export function withNesting(tasks: ReadonlyMap<string, ImportedTask>): Dependencies {
  const parents = parentsOf(tasks);
  const implied = impliedBy(tasks, parents);
  const all = new Map<string, readonly string[]>();
  for (const [key, task] of tasks) all.set(key, [...new Set([...task.after, ...(implied.get(key) ?? [])])]);
  const component = new Map<string, number>();
  let count = 0;
  for (const members of components(all.keys(), (key) => all.get(key) ?? [])) {
    count++;
    for (const key of members) component.set(key, count);
  }
  const closes = (key: string, other: string) =>
    key === other || (component.has(key) && component.get(key) === component.get(other));
  const warnings: string[] = [];
  const after = new Map<string, readonly string[]>();
  for (const [key, { after: stated }] of tasks) {
    const ours = new Set(stated);
    const more = [...(implied.get(key) ?? [])].filter((other) => !ours.has(other) && !closes(key, other));
    const room = Math.max(0, WORK_LIMITS.edgesPerTask - ours.size);
    if (more.length > room) {
      warnings.push(
        `${key} waits for ${room} of the ${more.length} tasks that its nesting implies: a task has at most ${WORK_LIMITS.edgesPerTask} dependencies.`,
      );
    }
    after.set(key, [...ours, ...more.sort(compareText).slice(0, room)]);
  }
  const epics = new Map([...parents].filter(([key, parent]) => after.get(parent)?.includes(key)));
  return { after, epics, warnings };
}

/** Parent of each task that is in the import, without parents that are nested in one another. */
function parentsOf(tasks: ReadonlyMap<string, ImportedTask>): ReadonlyMap<string, string> {
  const parents = new Map<string, string>();
  for (const [key, { parent }] of tasks) {
    if (parent !== undefined && parent !== key && tasks.has(parent)) parents.set(key, parent);
  }
  const edges = (key: string) => {
    const parent = parents.get(key);
    return parent === undefined ? [] : [parent];
  };
  const looped = [...components(parents.keys(), edges)].flat();
  for (const key of looped) parents.delete(key);
  refuseDepth(parents);
  return parents;
}

function refuseDepth(parents: ReadonlyMap<string, string>): void {
  const depths = new Map<string, number>();
  for (const key of parents.keys()) {
    const chain: string[] = [];
    let at: string | undefined = key;
    for (; at !== undefined && !depths.has(at); at = parents.get(at)) chain.push(at);
    let depth = at === undefined ? 0 : (depths.get(at) ?? 0);
    for (const one of chain.reverse()) depths.set(one, ++depth);
    if (depth <= IMPORT_LIMITS.nesting) continue;
    throw new TroupeError('too_large', {
      what: `Tasks are nested more than ${IMPORT_LIMITS.nesting} deep.`,
      hint: 'Import a part of it.',
    });
  }
}

function impliedBy(
  tasks: ReadonlyMap<string, ImportedTask>,
  parents: ReadonlyMap<string, string>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const inherited = new Map<string, readonly string[]>();
  /** Dependencies of a task and of all tasks around it, without tasks nested in these. */
  const waits = (key: string): readonly string[] => {
    const chain: string[] = [];
    for (let at: string | undefined = key; at !== undefined && !inherited.has(at); at = parents.get(at)) chain.push(at);
    for (const at of chain.reverse()) {
      const above = inherited.get(parents.get(at) ?? '') ?? [];
      const own = (tasks.get(at)?.after ?? []).filter((other) => tasks.has(other));
      inherited.set(
        at,
        [...new Set([...above, ...own])].filter((other) => !isWithin(parents, other, at)),
      );
    }
    return inherited.get(key) ?? [];
  };
  const implied = new Map<string, Set<string>>();
  let edges = 0;
  const add = (key: string, others: readonly string[]) => {
    const set = implied.get(key) ?? new Set();
    implied.set(key, set);
    for (const other of others) if (other !== key) set.add(other);
    edges += others.length;
    if (edges > IMPORT_LIMITS.edges) {
      throw new TroupeError('too_large', {
        what: `The nested tasks have more than ${IMPORT_LIMITS.edges} dependencies.`,
        hint: 'Import a part of it.',
      });
    }
  };
  for (const [key, parent] of parents) {
    add(parent, [key]);
    if (!isTerminal(tasks.get(key)?.status ?? 'open')) add(key, waits(parent));
  }
  return implied;
}

/** Whether a task is the other one or nested in it. */
function isWithin(parents: ReadonlyMap<string, string>, key: string, other: string): boolean {
  for (let at: string | undefined = key; at !== undefined; at = parents.get(at)) if (at === other) return true;
  return false;
}
