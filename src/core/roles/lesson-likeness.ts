// Similarity of lessons: equal when folded, or with mostly the same words.
import { countUp, numberOf } from '#kernel/numbers.js';
import { compareText } from '#kernel/order.js';
import { foldedLesson } from './lesson.js';

/** Minimum word overlap (Jaccard index) of two similar lessons. */
const MIN_OVERLAP = 0.6;

/** A lesson with its word set, for comparison. */
interface Words {
  readonly folded: string;
  readonly words: ReadonlySet<string>;
}

function wordsIn(text: string): Words {
  const folded = foldedLesson(text);
  return { folded, words: new Set(folded.match(/[\p{L}\p{N}]+/gu) ?? []) };
}

/** Jaccard index of two word sets, 0 to 1. */
function overlapOf(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const [small, large] = left.size <= right.size ? [left, right] : [right, left];
  let both = 0;
  for (const word of small) if (large.has(word)) both++;
  const all = left.size + right.size - both;
  return all === 0 ? 0 : both / all;
}

/** Similarity of two lessons, 0 to 1; 1 if they are equal when folded. */
export function lessonOverlap(left: string, right: string): number {
  const [one, other] = [wordsIn(left), wordsIn(right)];
  return one.folded === other.folded ? 1 : overlapOf(one.words, other.words);
}

function areSimilar(left: Words, right: Words): boolean {
  return left.folded === right.folded || overlapOf(left.words, right.words) >= MIN_OVERLAP;
}

/**
 * Groups similar lessons, in the order of the first of each group. A lesson joins the first group whose first lesson is
 * similar to it; comparing only with the first prevents chains of small differences from joining dissimilar lessons.
 *
 * Two lessons that share 0.6 of their words share at least one of the rarest words of each (all but 0.6 of them). Only
 * groups found by such a word are compared, which avoids comparing thousands of lessons pairwise.
 */
export function lessonGroups<One extends { readonly text: string }>(lessons: readonly One[]): One[][] {
  const all = lessons.map((lesson) => ({ lesson, ...wordsIn(lesson.text) }));
  const uses = new Map<string, number>();
  for (const { words } of all) for (const word of words) countUp(uses, word);
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
    return first !== undefined && areSimilar(first, own);
  });
}

/** Words, rarest first, of which similar lessons share at least one. */
function rarest(words: ReadonlySet<string>, uses: ReadonlyMap<string, number>): string[] {
  const most = words.size - Math.ceil(MIN_OVERLAP * words.size) + 1;
  const byUse = (left: string, right: string) =>
    numberOf(uses, left) - numberOf(uses, right) || compareText(left, right);
  return [...words].sort(byUse).slice(0, most);
}
