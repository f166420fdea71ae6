import type { Lexicon } from '#core/catalog/catalog.js';
import { editDistance } from '#kernel/text.js';
import { wordStem } from '#kernel/words.js';
import { wordsAndCommas } from './goal-phrases.js';

/** A word this short is too near to others for a guess at what was meant. */
const SHORTEST_MISSPELT = 6;
/** From here on one letter may be another one: shorter, "context" and "content" are both words. */
const SHORTEST_EXCHANGED = 8;
/** How many letters a word of another language may have behind the one in the table: "Datenbank", "Datenbanken". */
const LONGEST_ENDING = 2;
const SHORTEST_INFLECTED = 5;

/**
 * Reads the words of a goal as the words that the kinds of work know: those of other languages by the table of the
 * lexicon, misspelt ones as the one known word they are nearest to. Every other word stays as it is.
 */
export class GoalReader {
  private readonly foreign: ReadonlyMap<string, readonly string[]>;
  private readonly stems: ReadonlySet<string>;
  /** Words that a misspelt one may mean, by their first and last letter: no slip changes these. */
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

  /** Whether a word is one that the kinds of work know, or a slip of one. */
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

  /** The one known word that a slip of the finger makes of it; where there are two, nobody can say which. */
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
 * The first letter, where slips are rare, and the last, where it is another form or another word: "scanned" and "scanner",
 * "river" and "driver".
 */
function endsOf(word: string): string {
  return `${word.charAt(0)}${word.at(-1)}`;
}

/** Whether a letter within is missing, too many or another one, or two neighbours have changed places. */
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
