// When two lessons say the same: equal when folded, or made of mostly the same words.
import { compareText } from '#kernel/order.js';
import { foldedLesson } from './lesson.js';

/** Two lessons share at least this much of all their words, or they are two. */
const LEAST_OVERLAP = 0.6;

/** A lesson by its words, as it is compared. */
interface Words {
  readonly folded: string;
  readonly words: ReadonlySet<string>;
}

function wordsIn(text: string): Words {
  const folded = foldedLesson(text);
  return { folded, words: new Set(folded.match(/[\p{L}\p{N}]+/gu) ?? []) };
}

/** How much of all the words of two lessons both have: 0 to 1. */
function overlapOf(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const [small, large] = left.size <= right.size ? [left, right] : [right, left];
  let both = 0;
  for (const word of small) if (large.has(word)) both++;
  const all = left.size + right.size - both;
  return all === 0 ? 0 : both / all;
}

/** How much two lessons say the same, 0 to 1: 1 where they are equal when folded. */
export function lessonOverlap(left: string, right: string): number {
  const [one, other] = [wordsIn(left), wordsIn(right)];
  return one.folded === other.folded ? 1 : overlapOf(one.words, other.words);
}

/** Do two lessons say the same? */
export function sameLesson(left: string, right: string): boolean {
  return alike(wordsIn(left), wordsIn(right));
}

function alike(left: Words, right: Words): boolean {
  return left.folded === right.folded || overlapOf(left.words, right.words) >= LEAST_OVERLAP;
}

/**
 * Lessons in groups that say the same, in the order of the first of each. A lesson joins the first group whose first lesson it is
 * like, so that no chain of small differences brings together what is not alike.
 *
 * Two that share 0.6 of their words share one of the few rarest of either (all but 0.6 of them), so only groups found by such
 * a word are compared: thousands of lessons are grouped without comparing each with each.
 */
export function lessonGroups<One extends { readonly text: string }>(lessons: readonly One[]): One[][] {
  const all = lessons.map((lesson) => ({ lesson, ...wordsIn(lesson.text) }));
  const uses = new Map<string, number>();
  for (const { words } of all) for (const word of words) uses.set(word, (uses.get(word) ?? 0) + 1);
  const groups: { readonly first: Words; readonly lessons: One[] }[] = [];
  const byText = new Map<string, number>();
  const byRareWord = new Map<string, number[]>();
  for (const { lesson, ...own } of all) {
    const rare = rarest(own.words, uses);
    const index = byText.get(own.folded) ?? similarGroup(own, rare, byRareWord, groups);
    if (index !== undefined) {
      groups[index]?.lessons.push(lesson);
      continue;
    }
    byText.set(own.folded, groups.length);
    for (const word of rare) byRareWord.set(word, [...(byRareWord.get(word) ?? []), groups.length]);
    groups.push({ first: own, lessons: [lesson] });
  }
  return groups.map((group) => group.lessons);
}

function similarGroup(
  own: Words,
  rare: readonly string[],
  byRareWord: ReadonlyMap<string, readonly number[]>,
  groups: readonly { readonly first: Words }[],
): number | undefined {
  const near = [...new Set(rare.flatMap((word) => byRareWord.get(word) ?? []))].sort((left, right) => left - right);
  return near.find((index) => {
    const first = groups[index]?.first;
    return first !== undefined && alike(first, own);
  });
}

/** The words of which two alike lessons share one at least, the rarest first. */
function rarest(words: ReadonlySet<string>, uses: ReadonlyMap<string, number>): string[] {
  const most = words.size - Math.ceil(LEAST_OVERLAP * words.size) + 1;
  const byUse = (left: string, right: string) =>
    (uses.get(left) ?? 0) - (uses.get(right) ?? 0) || compareText(left, right);
  return [...words].sort(byUse).slice(0, most);
}
