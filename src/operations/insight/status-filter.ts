import * as z from 'zod/mini';
import { readiness } from '#core/graph/ready.js';
import { SHOWN_STATES } from '#core/graph/status-look.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { LIMITS } from '#kernel/limits.js';
import { shownState } from './status-shapes.js';

/** Which tasks somebody wants to see. */
export const FILTERS = {
  /** Words that stand in the title, the id or the member's name, whatever their case. */
  search: z.optional(z.string().check(z.maxLength(LIMITS.settingCharacters))),
  /** Statuses as they are shown. */
  state: z.optional(z.array(z.enum(SHOWN_STATES))),
};

export interface Filter {
  readonly search?: string | undefined;
  readonly state?: readonly (typeof SHOWN_STATES)[number][] | undefined;
}

/** Readiness is looked at only of what has the words. */
export function filterOf(view: GraphView, { search = '', state }: Filter, now: number): (task: Task) => boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return (task) => {
    const text = words.length === 0 ? '' : `${task.title} ${task.id} ${task.member ?? ''}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) return false;
    return state === undefined || state.includes(shownState(task, readiness(view, task.id, now)));
  };
}
