import type { Archetype, Lexicon } from '#core/catalog/catalog.js';

/** Where a word of a goal was found, and what finding it there is worth. Best first. */
const FIELDS = [
  ['title', 5],
  ['keyword', 4],
  ['capability', 3],
  ['summary', 2],
  ['responsibility', 1],
] as const;
export type Field = (typeof FIELDS)[number][0];

export interface Match {
  readonly word: string;
  readonly field: Field;
  readonly weight: number;
}

/** Which words each archetype holds, each at its best field. Built once for a ranking. */
type WordIndex = ReadonlyMap<string, ReadonlyMap<string, Match>>;

/** Text as distinct words: NFKC, lower case, plurals cut, in order of appearance. */
export function wordsOf(text: string): string[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}][\p{L}\p{N}+#]*/gu) ?? [];
  return [...new Set(words.map(singular))];
}

/** The words a goal is about: without stop words, with what the lexicon says they also mean. */
export function goalWords(goal: string, lexicon: Lexicon): string[] {
  const stop = new Set(lexicon.stop_words.flatMap(wordsOf));
  const synonyms = new Map(
    Object.entries(lexicon.synonyms).map(([word, others]) => [wordsOf(word).join(' '), others.flatMap(wordsOf)]),
  );
  const own = wordsOf(goal).filter((word) => !stop.has(word));
  return [...new Set(own.flatMap((word) => [word, ...(synonyms.get(word) ?? [])]))];
}

export function indexWords(menu: readonly Archetype[]): WordIndex {
  return new Map(menu.map((archetype) => [archetype.id, wordsIn(archetype)]));
}

function wordsIn(archetype: Archetype): ReadonlyMap<string, Match> {
  const texts: Record<Field, readonly string[]> = {
    title: [archetype.id, archetype.title],
    keyword: archetype.keywords,
    capability: archetype.capabilities,
    summary: [archetype.summary],
    responsibility: archetype.responsibilities,
  };
  const found = new Map<string, Match>();
  for (const [field, weight] of FIELDS) {
    for (const word of texts[field].flatMap(wordsOf)) {
      if (!found.has(word)) found.set(word, { word, field, weight });
    }
  }
  return found;
}

/** A plural without its ending. Crude, but the same on both sides, which is all a comparison needs. */
function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh)es$/.test(word) && word.length > 4) return word.slice(0, -2);
  return word.length > 3 && /[^suiz]s$/.test(word) ? word.slice(0, -1) : word;
}
