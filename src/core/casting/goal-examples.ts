import type { GoalExample, WorkKind } from '#core/catalog/catalog.js';
import { countUp, numberOf } from '#kernel/numbers.js';
import { wordStem } from '#kernel/words.js';
import type { Token } from './goal-phrases.js';

/** Similarity of a goal to the examples of one kind of work, compared with all other examples. */
export interface KindLikelihood {
  readonly kind: WorkKind;
  /** Natural logarithm of the odds, including the prior share of this kind among the examples. */
  readonly logOdds: number;
  /**
   * Evidence for the kind, in the same unit, without the stem that contributes most; negative infinity if no word other
   * than a stop word supports the kind.
   */
  readonly withoutStrongest: number;
}

/** Feature weights of a word, a stop word, a pair of neighbouring words and the first word of a sentence. */
const WEIGHT = { word: 1, stopWord: 0.5, pair: 0.5, first: 0.5 };
/** Pseudocount for smoothing: without it, a word seen in a single example would be treated as proof. */
const SMOOTHING_PSEUDOCOUNT = 5;
const MAX_WORDS_SHOWN = 3;
/** Key that replaces every number. */
const NUMBER = '#';

interface Feature {
  readonly key: string;
  readonly weight: number;
  /** Stems of the words in the feature. */
  readonly stems: readonly string[];
  /** Text shown to people. */
  readonly words: string;
  readonly isWord: boolean;
}

/** Number of example goals, and number of them that contain each feature. */
interface FeatureCounts {
  goals: number;
  readonly features: Map<string, number>;
}

/**
 * Classifies a goal by comparing its words and word pairs with labelled examples (naive Bayes, each kind against all
 * others). Word pairs disambiguate meanings: "returns 500" is not about parcels.
 */
export class ExampleIndex {
  private readonly kinds: readonly WorkKind[];
  private readonly all: FeatureCounts = { goals: 0, features: new Map() };
  private readonly byKind = new Map<string, FeatureCounts>();

  /** `sentencesOf`: splits a text into sentences of tokens. */
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

  /** Returns the similarity to every kind of work. */
  likenessOf(sentences: readonly (readonly Token[])[]): KindLikelihood[] {
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

  /** Whether a word that is not a stop word occurs in any example. */
  occursInExamples(word: string): boolean {
    return this.all.features.has(keyOf(wordStem(word)));
  }

  /**
   * Returns up to three words or word pairs of the goal that support a kind: single words first, each group by
   * descending evidence.
   */
  wordsFor(kind: WorkKind, sentences: readonly (readonly Token[])[]): string[] {
    return this.seenIn(sentences)
      .map((feature) => ({ ...feature, evidence: this.evidence(feature, kind) }))
      .filter(({ evidence }) => evidence > 0)
      .sort((left, right) => Number(right.isWord) - Number(left.isWord) || right.evidence - left.evidence)
      .slice(0, MAX_WORDS_SHOWN)
      .map(({ words }) => words);
  }

  private seenIn(sentences: readonly (readonly Token[])[]): Feature[] {
    return featuresOf(sentences).filter(({ key }) => this.all.features.has(key));
  }

  /** Returns the weighted log-odds ratio between goals that contain the feature and all goals, for one kind. */
  private evidence({ key, weight }: Feature, kind: WorkKind): number {
    const { goals, features } = this.countOf(kind.id);
    const usual = goals / this.all.goals;
    const holding = numberOf(this.all.features, key);
    const share = (numberOf(features, key) + SMOOTHING_PSEUDOCOUNT * usual) / (holding + SMOOTHING_PSEUDOCOUNT);
    return weight * (logOdds(share) - logOdds(usual));
  }

  private countOf(id: string): FeatureCounts {
    return this.byKind.get(id) ?? { goals: 0, features: new Map() };
  }
}

function logOdds(share: number): number {
  return Math.log(share / (1 - share));
}

/** Returns the distinct features; repeated occurrences count once. */
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

/** Replaces every number by one key: the value of a number carries no meaning. */
function keyOf(stem: string): string {
  return /^\d+$/.test(stem) ? NUMBER : stem;
}
