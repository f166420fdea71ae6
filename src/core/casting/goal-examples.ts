import type { GoalExample, WorkKind } from '#core/catalog/catalog.js';
import { countUp, numberOf } from '#kernel/numbers.js';
import { wordStem } from '#kernel/words.js';
import type { Token } from './goal-phrases.js';

/** How much more, or less, the goal is like those that ask for a kind of work than like the others. */
export interface Likeness {
  readonly kind: WorkKind;
  /** Natural logarithm of the odds, the share of such goals among the examples included. */
  readonly logOdds: number;
  /** What speaks for the kind, in the same unit, without the one word that says most; nothing where only stop words do. */
  readonly withoutStrongest: number;
}

/** What a word, a word that says nothing by itself, two neighbours and the first word of a sentence count. */
const WEIGHT = { word: 1, stopWord: 0.5, pair: 0.5, first: 0.5 };
/** As many usual goals are counted beside those that hold a word: else one that was seen once would prove everything. */
const USUAL_GOALS = 5;
const WORDS_MOST = 3;
/** Stands for any number. */
const NUMBER = '#';

interface Feature {
  readonly key: string;
  readonly weight: number;
  /** Of the words it is made of. */
  readonly stems: readonly string[];
  /** What a person is shown of it. */
  readonly words: string;
  readonly isWord: boolean;
}

/** Goals that the examples ask for by words: how many there are, and how many of them hold each feature. */
interface Count {
  goals: number;
  readonly features: Map<string, number>;
}

/**
 * Compares a goal with examples whose kinds of work are known, word for word and pair for pair (naive Bayes, each kind
 * against all others). It tells what words mean from what stands beside them: "returns 500" is no parcel.
 */
export class ExampleIndex {
  private readonly kinds: readonly WorkKind[];
  private readonly all: Count = { goals: 0, features: new Map() };
  private readonly byKind = new Map<string, Count>();

  /** `sentencesOf`: the tokens of a text, sentence by sentence. */
  constructor(
    kinds: readonly WorkKind[],
    examples: readonly GoalExample[],
    sentencesOf: (text: string) => readonly (readonly Token[])[],
  ) {
    this.kinds = kinds;
    for (const { id } of kinds) this.byKind.set(id, { goals: 0, features: new Map() });
    for (const example of examples) {
      const keys = featuresOf(sentencesOf(example.goal)).map(({ key }) => key);
      for (const count of [this.all, ...example.kinds.map((id) => this.countOf(id))]) {
        count.goals++;
        for (const key of keys) countUp(count.features, key);
      }
    }
  }

  /** Of every kind of work. */
  likenessOf(sentences: readonly (readonly Token[])[]): Likeness[] {
    const features = this.seenIn(sentences);
    return this.kinds.map((kind) => {
      const { goals } = this.countOf(kind.id);
      const share = Math.log((goals + 1) / (this.all.goals - goals + 1));
      const { total, withoutStrongest } = this.evidenceOf(features, kind);
      return { kind, logOdds: share + total, withoutStrongest };
    });
  }

  private evidenceOf(features: readonly Feature[], kind: WorkKind) {
    const byStem = new Map<string, number>();
    let total = 0;
    let hasWord = false;
    for (const feature of features) {
      const evidence = this.evidence(feature, kind);
      total += evidence;
      hasWord ||= feature.isWord && evidence > 0;
      for (const stem of feature.stems) byStem.set(stem, numberOf(byStem, stem) + evidence);
    }
    return { total, withoutStrongest: hasWord ? total - Math.max(0, ...byStem.values()) : Number.NEGATIVE_INFINITY };
  }

  /** Whether a word, which is no stop word, stands in any example. */
  knows(word: string): boolean {
    return this.all.features.has(keyOf(wordStem(word)));
  }

  /** The words of the goal that speak for a kind, the strongest first. */
  wordsFor(kind: WorkKind, sentences: readonly (readonly Token[])[]): string[] {
    return this.seenIn(sentences)
      .map((feature) => ({ ...feature, evidence: this.evidence(feature, kind) }))
      .filter(({ evidence }) => evidence > 0)
      .sort((left, right) => Number(right.isWord) - Number(left.isWord) || right.evidence - left.evidence)
      .slice(0, WORDS_MOST)
      .map(({ words }) => words);
  }

  private seenIn(sentences: readonly (readonly Token[])[]): Feature[] {
    return featuresOf(sentences).filter(({ key }) => this.all.features.has(key));
  }

  /** How much more often goals with it ask for the kind than goals do. */
  private evidence({ key, weight }: Feature, kind: WorkKind): number {
    const { goals, features } = this.countOf(kind.id);
    const usual = goals / this.all.goals;
    const holding = numberOf(this.all.features, key);
    const share = (numberOf(features, key) + USUAL_GOALS * usual) / (holding + USUAL_GOALS);
    return weight * (logOdds(share) - logOdds(usual));
  }

  private countOf(id: string): Count {
    return this.byKind.get(id) ?? { goals: 0, features: new Map() };
  }
}

function logOdds(share: number): number {
  return Math.log(share / (1 - share));
}

/** Each once, however often it is said. */
function featuresOf(sentences: readonly (readonly Token[])[]): Feature[] {
  const features = new Map<string, Feature>();
  const add = (feature: Feature) => features.set(feature.key, feature);
  for (const sentence of sentences) {
    const tokens = sentence.filter(({ word }) => word !== ',');
    for (const [place, { word, stem }] of tokens.entries()) {
      const key = keyOf(stem);
      const isWord = !stem.startsWith('=') && key !== NUMBER;
      add({ key, stems: [key], words: word, weight: isWord ? WEIGHT.word : WEIGHT.stopWord, isWord });
      const before = tokens[place - 1];
      if (before === undefined) {
        add({ key: `^${key}`, stems: [key], words: word, weight: WEIGHT.first, isWord: false });
      } else {
        const stems = [keyOf(before.stem), key];
        add({ key: stems.join(' '), stems, words: `${before.word} ${word}`, weight: WEIGHT.pair, isWord: false });
      }
    }
  }
  return [...features.values()];
}

/** The number itself says nothing, and any number alone is no word. */
function keyOf(stem: string): string {
  return /^\d+$/.test(stem) ? NUMBER : stem;
}
