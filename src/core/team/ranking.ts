import { type Archetype, type Catalog, GENERAL_TEAM, type Lexicon } from '#core/catalog/catalog.js';
import { LIMITS } from '#kernel/limits.js';
import type { Pick, Picks } from './proposal.js';

const BEST_DOMAIN_FACTOR = 1.25;
/** An archetype below this share of the best score has nothing to do with the goal. */
const LEAST_SHARE = 0.2;
const WORDS_IN_REASON = 4;

export interface RankedArchetype {
  readonly archetype: Archetype;
  /** Rounded to three decimals; 0 when no word matched. */
  readonly score: number;
  readonly matches: readonly Match[];
}

/**
 * Every archetype of the menu against a goal, best first, ties in the menu's order. A word counts less the more
 * archetypes hold it; the domain of the best archetype is preferred.
 */
export function rankByWords(catalog: Catalog, goal: string): RankedArchetype[] {
  const index = indexWords(catalog.menu);
  const words = goalWords(goal, catalog.lexicon);
  const holders = new Map(
    words.map((word) => [word, [...index.values()].filter((matches) => matches.has(word)).length]),
  );
  const raw = catalog.menu.map((archetype) => {
    const byWord = index.get(archetype.id);
    const matches = words.flatMap((word) => byWord?.get(word) ?? []);
    return {
      archetype,
      matches,
      score: matches.reduce((sum, match) => sum + match.weight / (holders.get(match.word) ?? 1), 0),
    };
  });
  const top = raw.reduce<(typeof raw)[number] | undefined>(
    (best, next) => (best && best.score >= next.score ? best : next),
    undefined,
  );
  return raw
    .map(({ archetype, matches, score }) => {
      const factor = archetype.domain === top?.archetype.domain ? BEST_DOMAIN_FACTOR : 1;
      return { archetype, matches, score: Math.round(score * factor * 1_000) / 1_000 };
    })
    .sort((left, right) => right.score - left.score);
}

/** The team for a goal when no model chooses: the best `size`, always with somebody who can review. */
export function pickByWords(catalog: Catalog, goal: string, size: number = LIMITS.teamSizeDefault): Picks {
  const ranked = rankByWords(catalog, goal);
  const best = ranked[0]?.score ?? 0;
  const offline = {
    code: 'offline_ranking',
    message: 'No model chose these members: they were ranked by the words of the goal.',
  };
  if (best === 0) {
    return {
      picks: GENERAL_TEAM.slice(0, size).map((id) => ({ archetypeId: id, reason: 'General starting team.' })),
      warnings: [
        offline,
        { code: 'no_match', message: 'No word of the goal is known to the catalog: this is a general team.' },
      ],
    };
  }
  const top = ranked.filter((row) => row.score > 0 && row.score >= best * LEAST_SHARE).slice(0, size);
  if (!top.some((row) => canReview(row.archetype))) {
    const reviewer = ranked.find((row) => canReview(row.archetype));
    // Somebody must be able to say no; but a team of one stays the one that was asked for.
    if (reviewer && size > 1) top.splice(Math.min(top.length, size - 1), 1, reviewer);
  }
  return { picks: top.map(pickOf), warnings: [offline] };
}

/** Whether reviewing the work of others is among the archetype's capabilities. */
export function canReview(archetype: Archetype): boolean {
  return archetype.capabilities.some((capability) => /(?:^|[^a-z])review/i.test(capability));
}

/** Names the strongest matches with their field: `"api" (capability)`. */
function pickOf(row: RankedArchetype): Pick {
  const strongest = [...row.matches].sort((left, right) => right.weight - left.weight).slice(0, WORDS_IN_REASON);
  const reason = strongest.map((match) => `"${match.word}" (${match.field})`).join(', ');
  return { archetypeId: row.archetype.id, reason: reason === '' ? 'Reviews what the others deliver.' : reason };
}

/** Where a word of a goal was found, and what finding it there is worth. Best first. */
const FIELDS = [
  ['title', 5],
  ['keyword', 4],
  ['capability', 3],
  ['summary', 2],
  ['responsibility', 1],
] as const;
type Field = (typeof FIELDS)[number][0];

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

function indexWords(menu: readonly Archetype[]): WordIndex {
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
  const matches = new Map<string, Match>();
  for (const [field, weight] of FIELDS) {
    for (const word of texts[field].flatMap(wordsOf)) {
      if (!matches.has(word)) matches.set(word, { word, field, weight });
    }
  }
  return matches;
}

/** A plural without its ending. Crude, but the same on both sides, which is all a comparison needs. */
function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh)es$/.test(word) && word.length > 4) return word.slice(0, -2);
  return word.length > 3 && /[^suiz]s$/.test(word) ? word.slice(0, -1) : word;
}
