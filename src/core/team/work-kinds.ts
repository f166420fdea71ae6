import type { Catalog, Lexicon, WorkKind } from '#core/catalog/catalog.js';
import { derivedOnce } from '#kernel/derived.js';
import { PhraseIndex, wordsAndCommas } from './goal-phrases.js';
import { GoalReader } from './goal-reading.js';
import { type Mention, mentionsIn } from './goal-sentence.js';

/** A kind of work that a goal names, and the words of the goal that say so, the strongest first. */
export interface RequestedKind {
  readonly kind: WorkKind;
  readonly score: number;
  /** Whether the goal asks for this kind itself; otherwise it is only what the work is about. */
  readonly isGoal: boolean;
  readonly words: readonly string[];
}

/** A second kind counts as asked for from this share of the first. */
const LEAST_SHARE = 0.5;
const KINDS_MOST = 3;

/**
 * What goals are read with. A catalog is a new object at each load of a project, its lexicon and kinds of work are those that
 * are shipped: so the index is theirs.
 */
const vocabularyOf = derivedOnce((lexicon: Lexicon) =>
  derivedOnce((kinds: Catalog['workKinds']) => {
    const stop = new Set(lexicon.stop_words);
    const phrases = new PhraseIndex(kinds, stop);
    return { stop, phrases, reader: new GoalReader(lexicon, phrases.vocabulary) };
  }),
);

/**
 * The kinds of work that a goal asks for, in the order of the catalog, and those it only touches. What is to be made
 * counts most, and a verb that is a kind of work by itself makes of everything after it a mere topic: "document our
 * interface" is documentation. Empty where no word of the goal says anything.
 */
export function kindsOfWork(catalog: Catalog, goal: string): RequestedKind[] {
  const { stop, phrases, reader } = vocabularyOf(catalog.lexicon)(catalog.workKinds);
  // The dot of "v1.0" or "asp.net" ends nothing.
  const sentences = goal
    .normalize('NFKC')
    .toLowerCase()
    .split(/[;!?\n]+|[.:]+(?=\s|$)/);
  const mentions = sentences.flatMap((sentence) =>
    mentionsIn(phrases.tokensOf(reader.read(wordsAndCommas(sentence))), phrases, stop),
  );
  const tallies = catalog.workKinds.flatMap((kind) => {
    const ofKind = mentions.filter((mention) => mention.kind === kind);
    return ofKind.length === 0 ? [] : [{ kind, ...tally(ofKind) }];
  });
  const askedFor = tallies.some(({ isGoal }) => isGoal);
  const ranked = tallies.filter(({ isGoal }) => isGoal === askedFor).sort((left, right) => right.score - left.score);
  const least = (ranked[0]?.score ?? 0) * LEAST_SHARE;
  // Where nothing is asked for by name, one guess is enough.
  const goals = ranked.filter(({ score }) => score >= least).slice(0, askedFor ? KINDS_MOST : 1);
  return tallies.map((one) => ({ ...one, isGoal: goals.includes(one) }));
}

/** The mentions of one kind put together; a phrase that is said twice counts once, where it counts most. */
function tally(mentions: readonly Mention[]) {
  const weights = new Map<string, number>();
  for (const { words, weight } of mentions) weights.set(words, Math.max(weight, weights.get(words) ?? 0));
  return {
    score: [...weights.values()].reduce((sum, weight) => sum + weight, 0),
    isGoal: mentions.some((mention) => mention.isGoal),
    words: [...weights].sort((left, right) => right[1] - left[1]).map(([words]) => words),
  };
}
