import type { Catalog, Lexicon, WorkKind } from '#core/catalog/catalog.js';
import { derivedOnce } from '#kernel/derived.js';
import { ExampleIndex } from './goal-examples.js';
import { PhraseIndex, wordsAndCommas } from './goal-phrases.js';
import { GoalReader } from './goal-reading.js';
import { type Mention, readSentence } from './goal-sentence.js';

/** A kind of work that a goal names, and the words of the goal that say so, the strongest first. */
export interface RequestedKind {
  readonly kind: WorkKind;
  readonly score: number;
  /** Whether the goal asks for this kind itself; otherwise it is only what the work is about. */
  readonly isGoal: boolean;
  readonly words: readonly string[];
}

const KINDS_MOST = 3;
/** What it is worth that the words ask for a kind, how strongly in comparison to others, and that they only touch it. */
const WORTH = { goal: 4, strength: 1, topic: 1.5 };
/** The weight at which a topic is worth all of that. */
const FULL_TOPIC = 3;
/** What the likeness to examples is worth beside that. */
const LIKENESS = 0.7;
/** From here on the likeness alone says that a kind is asked for, where the words ask for something and where for nothing. */
const LEAST_LOG_ODDS = { askedFor: -1, nothing: -2.5 };
/** One word alone that examples hold is a coincidence. */
const LEAST_WORDS = 2;
/** The domain of whoever documents, writes or edits. */
const TEXT_DOMAIN = 'content';
/** How far behind the first a kind may be to be asked for too. */
const LARGEST_GAP = 4;

/**
 * What goals are read with. A catalog is a new object at each load of a project, its lexicon, kinds of work and examples are
 * those that are shipped: so the index is theirs.
 */
const vocabularyOf = derivedOnce((lexicon: Lexicon) =>
  derivedOnce((kinds: Catalog['workKinds']) =>
    derivedOnce((examples: Catalog['goalExamples']) => {
      const stop = new Set(lexicon.stop_words);
      const phrases = new PhraseIndex(kinds, stop);
      const index = new ExampleIndex(kinds, examples, (text) =>
        sentencesOf(text).map((sentence) => phrases.tokensOf(wordsAndCommas(sentence))),
      );
      return { stop, phrases, examples: index, reader: new GoalReader(lexicon, phrases.vocabulary) };
    }),
  ),
);

/**
 * The kinds of work that a goal asks for, the main one first, then those it only touches. What is to be made
 * counts most, and a verb that is a kind of work by itself makes of everything after it a mere topic: "document our
 * interface" is documentation. What goals like it ask for decides where its words mean several things, or nothing. Empty where
 * no word of the goal says anything.
 */
export function kindsOfWork(catalog: Catalog, goal: string): RequestedKind[] {
  const { stop, phrases, examples, reader } = vocabularyOf(catalog.lexicon)(catalog.workKinds)(catalog.goalExamples);
  const readings = sentencesOf(goal).map((sentence) =>
    readSentence(phrases.tokensOf(reader.read(wordsAndCommas(sentence))), phrases, stop),
  );
  const mentions = readings.flatMap((reading) => reading.mentions);
  const sentences = readings.map(({ wanted }) => wanted);
  const tallies = new Map(
    catalog.workKinds.flatMap((kind) => {
      const ofKind = mentions.filter((mention) => mention.kind === kind);
      return ofKind.length === 0 ? [] : [[kind, tally(ofKind)] as const];
    }),
  );
  const least = leastLogOdds(
    [...tallies.values()].some(({ isGoal }) => isGoal),
    examples.knownWords(sentences),
  );
  const strongest = Math.max(0, ...[...tallies.values()].filter(({ isGoal }) => isGoal).map(({ score }) => score));
  const ranked = examples
    .likenessOf(sentences)
    .map(({ kind, logOdds }) => ({ kind, logOdds, score: LIKENESS * logOdds + worthOf(tallies.get(kind), strongest) }))
    .filter(({ kind, logOdds }) => tallies.get(kind)?.isGoal === true || logOdds > least)
    .sort((left, right) => right.score - left.score);
  const lowest = (ranked[0]?.score ?? 0) - LARGEST_GAP;
  const goals = ranked
    .slice(0, KINDS_MOST)
    .filter(({ score }) => score >= lowest)
    .map(({ kind }) => kind);
  const topics = [...tallies.keys()].filter((kind) => !goals.includes(kind));
  return [...buildersFirst(goals, catalog, (kind) => tallies.get(kind)?.isGoal === true), ...topics].map((kind) => {
    const isGoal = goals.includes(kind);
    const { score, words } = tallies.get(kind) ?? { score: 0, words: examples.wordsFor(kind, sentences) };
    return { kind, score, isGoal, words };
  });
}

/** Whoever writes about something comes after whoever makes it, where the words of the goal ask for that. */
function buildersFirst(
  kinds: readonly WorkKind[],
  catalog: Catalog,
  isAskedFor: (kind: WorkKind) => boolean,
): WorkKind[] {
  const isText = ({ team }: WorkKind) => catalog.archetypes.get(team[0] ?? '')?.domain === TEXT_DOMAIN;
  const isBuilt = kinds.some((kind) => isAskedFor(kind) && !isText(kind));
  return isBuilt ? [...kinds].sort((left, right) => Number(isText(left)) - Number(isText(right))) : [...kinds];
}

function leastLogOdds(isAskedFor: boolean, knownWords: number): number {
  if (isAskedFor) return LEAST_LOG_ODDS.askedFor;
  return knownWords >= LEAST_WORDS ? LEAST_LOG_ODDS.nothing : Number.POSITIVE_INFINITY;
}

function worthOf(said: ReturnType<typeof tally> | undefined, strongest: number): number {
  if (said === undefined) return 0;
  if (said.isGoal) return WORTH.goal + (WORTH.strength * said.score) / strongest;
  return WORTH.topic * Math.min(1, said.score / FULL_TOPIC);
}

/** The dot of "v1.0" or "asp.net" ends nothing. */
function sentencesOf(text: string): string[] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[;!?\n]+|[.:]+(?=\s|$)/);
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
