import type { Catalog, Lexicon, WorkKind } from '#core/catalog/catalog.js';
import { memoised } from '#kernel/memoised.js';
import { numberOf } from '#kernel/numbers.js';
import { ExampleIndex, type KindLikelihood } from './goal-examples.js';
import { PhraseIndex, wordsAndCommas } from './goal-phrases.js';
import { GoalReader } from './goal-reading.js';
import { type Mention, readSentence, WEIGHT } from './goal-sentence.js';

/** Kind of work found in a goal, with the supporting words, strongest first. */
export interface RequestedKind {
  readonly kind: WorkKind;
  readonly score: number;
  /** Whether the goal asks for this kind, rather than only mentioning it as a topic. */
  readonly isGoal: boolean;
  /** Whether it is requested in addition to the goal. */
  readonly isExtra: boolean;
  readonly words: readonly string[];
}

const MAX_GOAL_KINDS = 3;
/**
 * Points for a kind that the words ask for, for its strength relative to the strongest kind, and for a kind that is
 * only a topic.
 */
const WORTH = { goal: 4, strength: 1, topic: 1.5 };
/** Score at which a topic gets full points. */
const FULL_TOPIC_SCORE = 3;
/** Factor and limit for the log odds from the examples. They only adjust the ranking; the words dominate. */
const LIKENESS = { share: 0.7, most: 6 };
/**
 * Minimum log odds for a kind to count as asked for: a kind the goal mentions (`touched`); any other kind if the words
 * ask for something (`askedFor`) or for nothing (`nothing`). Below `topic`, a single word naming a kind is ignored if
 * another kind exceeds `clear`.
 */
const MIN_LOG_ODDS = { touched: -1, askedFor: 1, nothing: 0, topic: -2, clear: 3 };
/** Minimum evidence besides the strongest word: a single word may be a coincidence. */
const MIN_OTHER_EVIDENCE = 0.5;
/** A goal with at least this many unknown words, and more than this share of them, is treated as not English. */
const LEAST_UNKNOWN = 3;
const LARGEST_UNKNOWN_SHARE = 0.45;
/** Minimum number of meaningful phrases if the sentences are in another language. */
const LEAST_FOREIGN_WORDS = 2;
/** Domain of archetypes that document, write or edit. */
const TEXT_DOMAIN = 'content';
/** Maximum score distance from the first kind for a kind to be asked for as well. */
const LARGEST_GAP = 4;

/**
 * Returns the indexes for parsing goals. Cached by lexicon, kinds of work and examples rather than by catalog: a
 * catalog is a new object at each load of a project, but these three are shared.
 */
const vocabularyOf = memoised((lexicon: Lexicon) =>
  memoised((kinds: Catalog['workKinds']) =>
    memoised((examples: Catalog['goalExamples']) => {
      const stop = new Set(lexicon.stop_words);
      const phrases = new PhraseIndex(kinds, stop);
      const index = new ExampleIndex(kinds, examples, (text) =>
        sentencesOf(text).map((sentence) => phrases.tokensOf(wordsAndCommas(sentence))),
      );
      return { stop, phrases, examples: index, reader: new GoalReader(lexicon, phrases.vocabulary) };
    }),
  ),
);

/** Result of parsing a goal. */
export interface GoalReading {
  /** Kinds of work asked for, the main one first, then those only mentioned; empty if unclear. */
  readonly kinds: readonly RequestedKind[];
  /** Probability from 0 to 1 that each kind is asked for, available even if the goal is unclear. */
  readonly leaning: ReadonlyMap<WorkKind, number>;
}

/**
 * Parses a goal. Things to be made count most, and a verb that names a kind of work turns everything after it into a
 * topic: "document our interface" is documentation. Labelled examples decide if the words are ambiguous or unknown. The
 * result is unclear if no word is meaningful, or only one is in a goal that is mostly not English and therefore cannot
 * be parsed.
 */
export function readGoal(catalog: Catalog, goal: string): GoalReading {
  const { stop, phrases, examples, reader } = vocabularyOf(catalog.lexicon)(catalog.workKinds)(catalog.goalExamples);
  const texts = sentencesOf(goal).map(wordsAndCommas);
  const readings = texts.map((words) => readSentence(phrases.tokensOf(reader.read(words)), phrases, stop));
  const mentions = readings.flatMap((reading) => reading.mentions);
  const sentences = readings.map(({ wanted }) => wanted);
  const tallies = new Map(
    catalog.workKinds.flatMap((kind) => {
      const ofKind = mentions.filter((mention) => mention.kind === kind);
      return ofKind.length === 0 ? [] : [[kind, tally(ofKind)] as const];
    }),
  );
  const strongest = Math.max(0, ...[...tallies.values()].filter(({ isGoal }) => isGoal).map(({ score }) => score));
  const likeness = examples.likenessOf(sentences);
  const reading = {
    isAskedFor: strongest > 0,
    isClear: likeness.some(
      ({ logOdds, withoutStrongest }) => withoutStrongest > MIN_OTHER_EVIDENCE && logOdds > MIN_LOG_ODDS.clear,
    ),
  };
  const ranked = likeness
    .filter((one) => isWanted(one, tallies.get(one.kind), reading))
    .map(({ kind, logOdds }) => ({ kind, score: worthOf(tallies.get(kind), strongest) + worthOfLikeness(logOdds) }))
    .sort((left, right) => right.score - left.score);
  const lowest = (ranked[0]?.score ?? 0) - LARGEST_GAP;
  const goals = ranked
    .slice(0, MAX_GOAL_KINDS)
    .filter(({ score }) => score >= lowest)
    .map(({ kind }) => kind);
  const unlike = new Set(likeness.filter(({ logOdds }) => logOdds <= MIN_LOG_ODDS.topic).map(({ kind }) => kind));
  const topics = [...tallies]
    .filter(([kind, { score, isExtra }]) => isExtra || score > WEIGHT.topic || !unlike.has(kind))
    .map(([kind]) => kind)
    .filter((kind) => !goals.includes(kind));
  const isAskedFor = (kind: WorkKind) => tallies.get(kind)?.isGoal === true;
  const kinds = [...buildersFirst(goals, catalog, isAskedFor), ...topics].map((kind) => {
    const isGoal = goals.includes(kind);
    const { score, words, isExtra } = tallies.get(kind) ?? {
      score: 0,
      words: examples.wordsFor(kind, sentences),
      isExtra: false,
    };
    return { kind, score, isGoal, isExtra: isExtra && !isGoal, words };
  });
  const leaning = likeness.map(({ kind, logOdds }) => {
    const odds = Math.exp(logOdds + worthOf(tallies.get(kind), strongest));
    return [kind, odds / (1 + odds)] as const;
  });
  const isSingle = new Set(mentions.map(({ words }) => words)).size < LEAST_FOREIGN_WORDS;
  const isClear =
    goals.length > 0 &&
    !(isSingle && isForeign(texts.flat(), (word) => reader.isEnglish(word) || examples.occursInExamples(word)));
  return { kinds: isClear ? kinds : [], leaning: new Map(leaning) };
}

/** Whether enough words are unknown to treat the text as another language. */
function isForeign(words: readonly string[], isEnglish: (word: string) => boolean): boolean {
  const all = words.filter((word) => word !== ',');
  const unknown = all.filter((word) => !isEnglish(word)).length;
  return unknown >= LEAST_UNKNOWN && unknown > all.length * LARGEST_UNKNOWN_SHARE;
}

/** Moves kinds of writing after the kinds that build, if the words of the goal ask for something to be built. */
function buildersFirst(
  kinds: readonly WorkKind[],
  catalog: Catalog,
  isAskedFor: (kind: WorkKind) => boolean,
): WorkKind[] {
  const isText = ({ team }: WorkKind) => catalog.archetypes.get(team[0] ?? '')?.domain === TEXT_DOMAIN;
  const isBuilt = kinds.some((kind) => isAskedFor(kind) && !isText(kind));
  return isBuilt ? [...kinds].sort((left, right) => Number(isText(left)) - Number(isText(right))) : [...kinds];
}

type KindTally = ReturnType<typeof tally> | undefined;

/**
 * Whether a kind is asked for: explicitly, or because enough of its words match the examples. A single word never
 * suffices if the rest indicates another kind: "bring the *returns* to the warehouse" is not a support request.
 */
function isWanted(
  { logOdds, withoutStrongest }: KindLikelihood,
  said: KindTally,
  { isAskedFor, isClear }: { readonly isAskedFor: boolean; readonly isClear: boolean },
): boolean {
  if (said?.isGoal) {
    const isOneThing = said.words.length === 1 && said.score <= WEIGHT.object;
    return !(isClear && isOneThing && logOdds < MIN_LOG_ODDS.topic);
  }
  const isMoreThanAWord = withoutStrongest > MIN_OTHER_EVIDENCE;
  if (said !== undefined) return logOdds > MIN_LOG_ODDS.touched && (said.score > WEIGHT.topic || isMoreThanAWord);
  return isMoreThanAWord && logOdds > MIN_LOG_ODDS[isAskedFor ? 'askedFor' : 'nothing'];
}

function worthOfLikeness(logOdds: number): number {
  return LIKENESS.share * Math.max(-LIKENESS.most, Math.min(LIKENESS.most, logOdds));
}

function worthOf(said: KindTally, strongest: number): number {
  if (said === undefined) return 0;
  if (said.isGoal) return WORTH.goal + (WORTH.strength * said.score) / strongest;
  return WORTH.topic * Math.min(1, said.score / FULL_TOPIC_SCORE);
}

/** A dot inside "v1.0" or "asp.net" does not end a sentence. */
function sentencesOf(text: string): string[] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[;!?\n]+|[.:]+(?=\s|$)/);
}

/** Aggregates the mentions of one kind; a repeated phrase counts once, with its highest weight. */
function tally(mentions: readonly Mention[]) {
  const weights = new Map<string, number>();
  for (const { words, weight } of mentions) weights.set(words, Math.max(weight, numberOf(weights, words)));
  return {
    score: [...weights.values()].reduce((sum, weight) => sum + weight, 0),
    isGoal: mentions.some((mention) => mention.isGoal),
    isExtra: mentions.some((mention) => mention.isExtra),
    words: [...weights].sort((left, right) => right[1] - left[1]).map(([words]) => words),
  };
}
