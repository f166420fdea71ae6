import type { Lexicon } from '#core/catalog/catalog.js';
import { editDistance } from '#kernel/text.js';
import { wordStem } from '#kernel/words.js';
import { wordsAndCommas } from './goal-phrases.js';

/** Minimum length for spelling correction: shorter words are too close to other words. */
const SHORTEST_MISSPELT = 6;
/** Minimum length for correcting a replaced letter: among shorter words, "context" and "content" are both valid. */
const SHORTEST_EXCHANGED = 8;
/** Maximum length of a suffix after a foreign word of the table: "Datenbank", "Datenbanken". */
const LONGEST_ENDING = 2;
const SHORTEST_INFLECTED = 5;

/**
 * Maps the words of a goal to the vocabulary of the kinds of work: foreign words through the lexicon's table, misspelt
 * words to the only known word within one typo. Other words are unchanged.
 */
export class GoalReader {
  private readonly foreign: ReadonlyMap<string, readonly string[]>;
  private readonly stems: ReadonlySet<string>;
  /** Candidates for spelling correction, keyed by first and last letter, which a correction never changes. */
  private readonly candidates = new Map<string, string[]>();

  constructor(lexicon: Lexicon, vocabulary: readonly string[]) {
    const pairs = Object.values(lexicon.languages).flatMap((words) => Object.entries(words));
    this.foreign = new Map(pairs.map(([word, meant]) => [withoutAccents(word), wordsAndCommas(meant)]));
    this.stems = new Set([...vocabulary, ...lexicon.stop_words].map(wordStem));
    for (const word of new Set(vocabulary)) {
      if (!isLongEnough(word)) continue;
      const alike = this.candidates.get(endsOf(word));
      if (alike === undefined) this.candidates.set(endsOf(word), [word]);
      else alike.push(word);
    }
  }

  read(words: readonly string[]): string[] {
    return words.flatMap((word) => (this.isKnown(word) ? word : (this.translated(word) ?? this.corrected(word))));
  }

  /** Whether a word is in the vocabulary or a typo of a word in it. */
  isEnglish(word: string): boolean {
    return this.isKnown(word) || this.corrected(word) !== word;
  }

  private isKnown(word: string): boolean {
    return this.stems.has(wordStem(word));
  }

  private translated(word: string): readonly string[] | undefined {
    const plain = withoutAccents(word);
    for (let ending = 0; ending <= LONGEST_ENDING; ending++) {
      const root = plain.slice(0, plain.length - ending);
      if (ending > 0 && root.length < SHORTEST_INFLECTED) return undefined;
      const meant = this.foreign.get(root);
      if (meant !== undefined) return meant;
    }
    return undefined;
  }

  /** Returns the known word within one typo; the word itself if there is none or the correction is ambiguous. */
  private corrected(word: string): string {
    if (!isLongEnough(word)) return word;
    const alike = this.candidates.get(endsOf(word)) ?? [];
    const near = new Map(alike.filter((known) => isSlip(word, known)).map((known) => [wordStem(known), known]));
    return near.size === 1 ? ([...near.values()][0] ?? word) : word;
  }
}

function isLongEnough(word: string): boolean {
  return word.length >= SHORTEST_MISSPELT;
}

/**
 * Returns the first and last letter as a lookup key. Typos in the first letter are rare, and a different last letter is
 * often another form or word: "scanned" and "scanner", "river" and "driver".
 */
function endsOf(word: string): string {
  return `${word.charAt(0)}${word.at(-1)}`;
}

/** Whether the words differ by one inner letter that is missing, added or replaced, or by two swapped neighbours. */
function isSlip(word: string, known: string): boolean {
  if (editDistance(word, known, 1) !== 1) return false;
  return word.length !== known.length || word.length >= SHORTEST_EXCHANGED || sorted(word) === sorted(known);
}

function sorted(word: string): string {
  return [...word].sort().join('');
}

function withoutAccents(word: string): string {
  return word.normalize('NFD').replace(/\p{M}+/gu, '');
}
