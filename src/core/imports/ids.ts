import { ABOUT } from '#core/graph/meta.js';
import { isIdForm, titleSlug } from '#core/graph/slug.js';
import { compareText } from '#kernel/order.js';
import type { ImportedTask } from './imported-task.js';

/** Text from which the id of a task is derived if its wish is none; it may need transliteration. */
export function wordsFor({ wish, title }: ImportedTask): string | undefined {
  return isIdForm(wish) ? undefined : wish.trim() || title;
}

/**
 * Chooses an id for each task, by key: its own one if that has the form of an id and is free. The keys are taken in
 * their order, so that the order of the records does not matter. `latin` has the transliterated words.
 */
export function chosenIds(
  tasks: Iterable<ImportedTask>,
  wasUsed: (id: string) => boolean,
  latin: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  const taken = new Set<string>();
  const next = new Map<string, number>();
  const isTaken = (id: string) => taken.has(id) || wasUsed(id);
  for (const task of [...tasks].sort((left, right) => compareText(left.key, right.key))) {
    const words = wordsFor(task);
    const own = words === undefined ? task.wish : titleSlug(latin.get(words) ?? words);
    const base = ABOUT.some((prefix) => own.startsWith(prefix)) ? `imported-${own}` : own;
    let id = shortened(base);
    for (let number = next.get(base) ?? 2; isTaken(id); number++) {
      id = `${shortened(base)}-${number}`;
      next.set(base, number + 1);
    }
    taken.add(id);
    ids.set(task.key, id);
  }
  return ids;
}

/** Leaves room for the number of a taken id. */
function shortened(id: string): string {
  return id.length <= MOST ? id : id.slice(0, MOST).replace(/[._-]+$/, '');
}

const MOST = 92;
