import { type Catalog, castable, GENERAL_TEAM } from '#core/catalog/catalog.js';
import { LIMITS } from '#kernel/limits.js';
import type { Pick, Picks } from './picks.js';
import { type RepositorySignals, signalIds } from './signals.js';

const OWNS_A_STEP = 'Owns a step of the work that runs next.';

/**
 * The team the rules of the catalog give for what a scan found, cut to `size`. Archetypes in `required` are on it in any
 * case: they take the places of the last picks, never the leader's, and the team grows only when there are more of them
 * than places.
 */
export function pickBySignals(
  catalog: Catalog,
  signals: RepositorySignals,
  options: { readonly size?: number | undefined; readonly required?: readonly string[] | undefined } = {},
): Picks {
  const found = signalIds(signals);
  const required = [...new Set(options.required ?? [])];
  if (found.size === 0) {
    const size = options.size ?? LIMITS.teamSizeUnknown;
    const general = GENERAL_TEAM.map((id) => ({ archetypeId: id, reason: 'General starting team.' }));
    return {
      picks: withRequired(catalog, general, required, size),
      warnings: [{ code: 'no_signals', message: 'The scan found nothing to go by: this is a small general team.' }],
    };
  }
  const ranked = new Map<string, Pick>();
  for (const rule of catalog.signalRules) {
    if (found.has(rule.signal) && !ranked.has(rule.archetype)) {
      ranked.set(rule.archetype, { archetypeId: rule.archetype, reason: rule.reason });
    }
  }
  return {
    picks: withRequired(catalog, [...ranked.values()], required, options.size ?? LIMITS.teamSizeDefault),
    warnings: [],
  };
}

/** The first `size` of a ranking with everybody who has to be there. */
export function withRequired(
  catalog: Catalog,
  ranked: readonly Pick[],
  required: readonly string[],
  size: number,
): Pick[] {
  const wanted = new Set(required);
  const leader = ranked.find((pick) => castable(catalog, pick.archetypeId)?.leads);
  const kept = ranked.slice(0, size);
  for (const id of required) {
    if (!kept.some((pick) => pick.archetypeId === id)) {
      const last = kept.findLastIndex((pick) => pick !== leader && !wanted.has(pick.archetypeId));
      if (kept.length >= size && last >= 0) kept.splice(last, 1);
      kept.push(ranked.find((pick) => pick.archetypeId === id) ?? { archetypeId: id, reason: OWNS_A_STEP });
    }
  }
  return kept;
}
