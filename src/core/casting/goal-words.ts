import type { Lexicon } from '#core/catalog/catalog.js';
import { derivedOnce } from '#kernel/derived.js';
import { wordStem, wordsOf } from '#kernel/words.js';

/** The words a goal is about: without stop words, with what the lexicon says they also mean. */
export function goalWords(goal: string, lexicon: Lexicon): string[] {
  const { stop, synonyms } = lexiconWords(lexicon);
  const own = wordsOf(goal).filter((word) => !stop.has(word));
  return [...new Set(own.flatMap((word) => [word, ...(synonyms.get(word) ?? [])]))];
}

const lexiconWords = derivedOnce((lexicon: Lexicon) => ({
  stop: new Set(lexicon.stop_words.flatMap(wordsOf)),
  synonyms: new Map(
    Object.entries(lexicon.synonyms).map(([word, others]) => [wordsOf(word).join(' '), others.flatMap(wordsOf)]),
  ),
}));

/** What a sentence is compared by, word for word. A word that says nothing is only ever itself: "them" is no "theme". */
export function stemOf(word: string, stop: ReadonlySet<string>): string {
  return stop.has(word) ? `=${wordStem(word)}` : wordStem(word);
}
