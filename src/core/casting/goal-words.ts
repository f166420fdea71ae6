import type { Lexicon } from '#core/catalog/catalog.js';
import { memoised } from '#kernel/memoised.js';
import { wordStem, wordsOf } from '#kernel/words.js';

/** Returns the distinct words of a goal without stop words, plus their synonyms from the lexicon. */
export function goalWords(goal: string, lexicon: Lexicon): string[] {
  const { stop, synonyms } = lexiconWords(lexicon);
  const own = wordsOf(goal).filter((word) => !stop.has(word));
  return [...new Set(own.flatMap((word) => [word, ...(synonyms.get(word) ?? [])]))];
}

const lexiconWords = memoised((lexicon: Lexicon) => ({
  stop: new Set(lexicon.stop_words.flatMap(wordsOf)),
  synonyms: new Map(
    Object.entries(lexicon.synonyms).map(([word, others]) => [wordsOf(word).join(' '), others.flatMap(wordsOf)]),
  ),
}));

/**
 * Returns the stem used for comparing words. A stop word gets a distinct key and matches only itself: "them" does not
 * match "theme".
 */
export function stemOf(word: string, stop: ReadonlySet<string>): string {
  return stop.has(word) ? `=${wordStem(word)}` : wordStem(word);
}
