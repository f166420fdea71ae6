import type { WorkKind } from '#core/catalog/catalog.js';
import { stemOf } from './goal-words.js';

export interface Token {
  readonly word: string;
  readonly stem: string;
}

/**
 * Role of a phrase for a kind of work: a verb of its own, a generic verb of making, a sign of a problem, or a thing to
 * be made.
 */
export type PhraseRole = 'verb' | 'making' | 'sign' | 'thing';

export interface Phrase {
  readonly stems: readonly string[];
  readonly meanings: readonly { readonly kind: WorkKind; readonly role: PhraseRole }[];
}

/** "don't" and "dont" are expanded to "do not", "cannot" to "can not". */
const CONTRACTION = /\b(do|does|did|is|are|was|were|ca|could|should|would|wo|has|have|had)n(?:['’]?t|not)\b/g;
const IN_FULL: Readonly<Record<string, string>> = { ca: 'can', wo: 'will' };

/** Splits a sentence in lower case into its words and commas. */
export function wordsAndCommas(sentence: string): string[] {
  const inFull = sentence.replace(CONTRACTION, (_, verb: string) => `${IN_FULL[verb] ?? verb} not`);
  return inFull.match(/[\p{L}\p{N}][\p{L}\p{N}+#]*|,/gu) ?? [];
}

export function hasRole(phrase: Phrase | undefined, ...roles: readonly PhraseRole[]): boolean {
  return phrase?.meanings.some(({ role }) => roles.includes(role)) === true;
}

/** Index of all phrases of the kinds of work, keyed by first stem. */
export class PhraseIndex {
  private readonly byFirstStem = new Map<string, Phrase[]>();
  private readonly words = new Set<string>();

  private readonly stop: ReadonlySet<string>;

  constructor(kinds: readonly WorkKind[], stop: ReadonlySet<string>) {
    this.stop = stop;
    const byStems = new Map<string, { stems: string[]; meanings: { kind: WorkKind; role: PhraseRole }[] }>();
    for (const kind of kinds) {
      for (const [role, texts] of [
        ['verb', kind.verbs],
        ['making', kind.making],
        ['sign', kind.signs],
        ['thing', kind.things],
      ] as const) {
        for (const text of texts) {
          const words = wordsAndCommas(text.toLowerCase());
          for (const word of words) this.words.add(word);
          const stems = this.tokensOf(words).map(({ stem }) => stem);
          const phrase = byStems.get(stems.join(' ')) ?? { stems, meanings: [] };
          phrase.meanings.push({ kind, role });
          byStems.set(stems.join(' '), phrase);
        }
      }
    }
    // Longest first: "landing page" must not match as "page".
    for (const phrase of [...byStems.values()].sort((left, right) => right.stems.length - left.stems.length)) {
      const first = phrase.stems[0] ?? '';
      this.byFirstStem.set(first, [...(this.byFirstStem.get(first) ?? []), phrase]);
    }
  }

  tokensOf(words: readonly string[]): Token[] {
    return words.map((word) => ({ word, stem: stemOf(word, this.stop) }));
  }

  /** Every word of every phrase. */
  get vocabulary(): readonly string[] {
    return [...this.words];
  }

  /** Returns the longest phrase that starts at a position. */
  longestMatchAt(tokens: readonly Token[], place: number): Phrase | undefined {
    return this.byFirstStem
      .get(tokens[place]?.stem ?? '')
      ?.find(({ stems }) => stems.every((stem, offset) => tokens[place + offset]?.stem === stem));
  }
}
