import type { Catalog, Lexicon, WorkKind } from '#core/catalog/catalog.js';
import { derivedOnce } from '#kernel/derived.js';
import { numberOf } from '#kernel/numbers.js';
import { ExampleIndex, type Likeness } from './goal-examples.js';
import { PhraseIndex, wordsAndCommas } from './goal-phrases.js';
import { GoalReader } from './goal-reading.js';
import { type Mention, readSentence, WEIGHT } from './goal-sentence.js';

/** A kind of work that a goal names, and the words of the goal that say so, the strongest first. */
export interface RequestedKind {
  readonly kind: WorkKind;
  readonly score: number;
  /** Whether the goal asks for this kind itself; otherwise it is only what the work is about. */
  readonly isGoal: boolean;
  /** Whether it is to be delivered with what the goal asks for. */
  readonly isExtra: boolean;
  readonly words: readonly string[];
}

const KINDS_MOST = 3;
/** What it is worth that the words ask for a kind, how strongly in comparison to others, and that they only touch it. */
const WORTH = { goal: 4, strength: 1, topic: 1.5 };
/** The weight at which a topic is worth all of that. */
const FULL_TOPIC = 3;
/** What the likeness to examples is worth beside that, and how much of it counts at most: it weighs, words ask. */
const LIKENESS = { share: 0.7, most: 6 };
/**
 * From here on likeness says that a kind is asked for: one that the goal touches, and any other, where the words ask for
 * something and where for nothing. Below `topic` one word that names a kind does not mean it, above `clear` a kind is meant.
 */
const LEAST_LOG_ODDS = { touched: -1, askedFor: 1, nothing: 0, topic: -2, clear: 3 };
/** What must speak for such a kind beside the one word that says most: a word alone is a coincidence. */
const LEAST_BESIDE = 0.5;
/** A goal with as many unknown words, and such a share of them, is not English. */
const LEAST_UNKNOWN = 3;
const LARGEST_UNKNOWN_SHARE = 0.45;
/** How many words must say something where the sentences cannot be read. */
const LEAST_FOREIGN_WORDS = 2;
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

/** What the words of a goal say. */
export interface GoalReading {
  /** The kinds of work it asks for, the main one first, then those it only touches; empty where that is not clear. */
  readonly kinds: readonly RequestedKind[];
  /** How likely each kind is asked for, from 0 to 1, also where it is not clear. */
  readonly leaning: ReadonlyMap<WorkKind, number>;
}

/**
 * Reads a goal. What is to be made
 * counts most, and a verb that is a kind of work by itself makes of everything after it a mere topic: "document our
 * interface" is documentation. What goals like it ask for decides where its words mean several things, or nothing. Nothing is
 * clear where no word says anything, and where a single one does in a goal that is hardly English: its sentences cannot be read.
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
      ({ logOdds, withoutStrongest }) => withoutStrongest > LEAST_BESIDE && logOdds > LEAST_LOG_ODDS.clear,
    ),
  };
  const ranked = likeness
    .filter((one) => isWanted(one, tallies.get(one.kind), reading))
    .map(({ kind, logOdds }) => ({ kind, score: worthOf(tallies.get(kind), strongest) + worthOfLikeness(logOdds) }))
    .sort((left, right) => right.score - left.score);
  const lowest = (ranked[0]?.score ?? 0) - LARGEST_GAP;
  const goals = ranked
    .slice(0, KINDS_MOST)
    .filter(({ score }) => score >= lowest)
    .map(({ kind }) => kind);
  const unlike = new Set(likeness.filter(({ logOdds }) => logOdds <= LEAST_LOG_ODDS.topic).map(({ kind }) => kind));
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
    !(isSingle && isForeign(texts.flat(), (word) => reader.isEnglish(word) || examples.knows(word)));
  return { kinds: isClear ? kinds : [], leaning: new Map(leaning) };
}

/** Whether so many of the words are of no English that is known here that the sentences are of another language. */
function isForeign(words: readonly string[], isEnglish: (word: string) => boolean): boolean {
  const all = words.filter((word) => word !== ',');
  const unknown = all.filter((word) => !isEnglish(word)).length;
  return unknown >= LEAST_UNKNOWN && unknown > all.length * LARGEST_UNKNOWN_SHARE;
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

type Said = ReturnType<typeof tally> | undefined;

/**
 * Whether a kind is asked for: by the words themselves, or because enough of them are those of goals like it. One word never
 * suffices where everything beside it says something else: "bring the *returns* to the warehouse" is no support.
 */
function isWanted(
  { logOdds, withoutStrongest }: Likeness,
  said: Said,
  { isAskedFor, isClear }: { readonly isAskedFor: boolean; readonly isClear: boolean },
): boolean {
  if (said?.isGoal) {
    const isOneThing = said.words.length === 1 && said.score <= WEIGHT.object;
    return !(isClear && isOneThing && logOdds < LEAST_LOG_ODDS.topic);
  }
  const isMoreThanAWord = withoutStrongest > LEAST_BESIDE;
  if (said !== undefined) return logOdds > LEAST_LOG_ODDS.touched && (said.score > WEIGHT.topic || isMoreThanAWord);
  return isMoreThanAWord && logOdds > LEAST_LOG_ODDS[isAskedFor ? 'askedFor' : 'nothing'];
}

function worthOfLikeness(logOdds: number): number {
  return LIKENESS.share * Math.max(-LIKENESS.most, Math.min(LIKENESS.most, logOdds));
}

function worthOf(said: Said, strongest: number): number {
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
  for (const { words, weight } of mentions) weights.set(words, Math.max(weight, numberOf(weights, words)));
  return {
    score: [...weights.values()].reduce((sum, weight) => sum + weight, 0),
    isGoal: mentions.some((mention) => mention.isGoal),
    isExtra: mentions.some((mention) => mention.isExtra),
    words: [...weights].sort((left, right) => right[1] - left[1]).map(([words]) => words),
  };
}
