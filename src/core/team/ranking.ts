import type { Archetype } from '#core/catalog/catalog.js';
import { type Catalog, GENERAL_TEAM } from '#core/catalog/catalog.js';
import { LIMITS } from '#kernel/limits.js';
import type { Pick, Picks } from './picks.js';
import { goalWords, indexWords, type Match } from './words.js';

const BEST_DOMAIN_FACTOR = 1.25;
/** An archetype below this share of the best score has nothing to do with the goal. */
const LEAST_SHARE = 0.2;
const WORDS_IN_REASON = 4;

export interface Ranked {
  readonly archetype: Archetype;
  /** Rounded to three decimals; 0 when no word matched. */
  readonly score: number;
  readonly matches: readonly Match[];
}

/**
 * Every archetype of the menu against a goal, best first, ties in the menu's order. A word counts less the more
 * archetypes hold it; the domain of the best archetype is preferred.
 */
export function rankByWords(catalog: Catalog, goal: string): Ranked[] {
  const index = indexWords(catalog.menu);
  const words = goalWords(goal, catalog.lexicon);
  const holders = new Map(words.map((word) => [word, [...index.values()].filter((held) => held.has(word)).length]));
  const raw = catalog.menu.map((archetype) => {
    const held = index.get(archetype.id);
    const matches = words.flatMap((word) => held?.get(word) ?? []);
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
  const chosen = ranked.filter((row) => row.score > 0 && row.score >= best * LEAST_SHARE).slice(0, size);
  if (!chosen.some((row) => canReview(row.archetype))) {
    const reviewer = ranked.find((row) => canReview(row.archetype));
    // Somebody must be able to say no; but a team of one stays the one that was asked for.
    if (reviewer && size > 1) chosen.splice(Math.min(chosen.length, size - 1), 1, reviewer);
  }
  return { picks: chosen.map(pickOf), warnings: [offline] };
}

/** Whether reviewing the work of others is among the archetype's capabilities. */
export function canReview(archetype: Archetype): boolean {
  return archetype.capabilities.some((capability) => /(?:^|[^a-z])review/i.test(capability));
}

/** Names the strongest matches with their field: `"api" (capability)`. */
function pickOf(row: Ranked): Pick {
  const strongest = [...row.matches].sort((left, right) => right.weight - left.weight).slice(0, WORDS_IN_REASON);
  const reason = strongest.map((match) => `"${match.word}" (${match.field})`).join(', ');
  return { archetypeId: row.archetype.id, reason: reason === '' ? 'Reviews what the others deliver.' : reason };
}
