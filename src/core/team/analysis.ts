import { type Catalog, castable, GENERAL_TEAM, type SignalRule } from '#core/catalog/catalog.js';
import {
  FRAMEWORKS,
  type Framework,
  LANGUAGES,
  type Language,
  type RepositorySize,
} from '#core/catalog/signal-vocabulary.js';
import { LIMITS } from '#kernel/limits.js';
import type { Pick, Picks } from './proposal.js';
import { byRecord, type TrackRecords } from './track-record.js';

const OWNS_A_STEP = 'Owns a step of the work that runs next.';

/**
 * The team the rules of the catalog give for what a scan found, cut to `size`. Archetypes in `required` are on it in any
 * case: they take the places of the last picks, never the leader's, and the team grows only when there are more of them
 * than places. How archetypes did here moves nobody by more than one place.
 */
export function pickBySignals(
  catalog: Catalog,
  signals: RepositorySignals,
  options: { readonly size?: number | undefined; readonly required?: readonly string[] | undefined },
  records: TrackRecords,
): Picks {
  const ids = signalIds(signals);
  const required = [...new Set(options.required ?? [])];
  if (ids.size === 0) {
    const size = options.size ?? LIMITS.teamSizeUnknown;
    const general = GENERAL_TEAM.map((id) => ({ archetypeId: id, reason: 'General starting team.' }));
    return {
      picks: withRequired(catalog, general, required, size),
      warnings: [{ code: 'no_signals', message: 'The scan found no signals: this is a small general team.' }],
    };
  }
  const ranked = new Map<string, Pick>();
  for (const rule of largestLanguageFirst(
    catalog.signalRules.filter((rule) => ids.has(rule.signal)),
    signals,
  )) {
    if (!ranked.has(rule.archetype)) ranked.set(rule.archetype, { archetypeId: rule.archetype, reason: rule.reason });
  }
  const picks = byRecord([...ranked.values()], ({ archetypeId }) => archetypeId, records).map(({ item, note }) =>
    note === '' ? item : { ...item, reason: `${item.reason.replace(/\.$/, '')}; ${note}.` },
  );
  return {
    picks: withRequired(catalog, picks, required, options.size ?? LIMITS.teamSizeDefault),
    warnings: [],
  };
}

/** The rules in their order, but those about languages among themselves by how much there is of each. */
function largestLanguageFirst(rules: readonly SignalRule[], { languages }: RepositorySignals): readonly SignalRule[] {
  const place = new Map<string, number>(languages.map((language, index) => [`language.${language}`, index]));
  const placeOf = (rule: SignalRule) => place.get(rule.signal) ?? -1;
  const aboutLanguages = rules
    .filter((rule) => place.has(rule.signal))
    .sort((left, right) => placeOf(left) - placeOf(right));
  let next = 0;
  return rules.map((rule) => (place.has(rule.signal) ? (aboutLanguages[next++] ?? rule) : rule));
}

/** The first `size` of a ranking with everybody who has to be there. */
export function withRequired(
  catalog: Catalog,
  ranked: readonly Pick[],
  required: readonly string[],
  size: number,
): Pick[] {
  const requiredIds = new Set(required);
  const leader = ranked.find((pick) => castable(catalog, pick.archetypeId)?.leads);
  const picks = ranked.slice(0, size);
  for (const id of required) {
    if (!picks.some((pick) => pick.archetypeId === id)) {
      const last = picks.findLastIndex((pick) => pick !== leader && !requiredIds.has(pick.archetypeId));
      if (picks.length >= size && last >= 0) picks.splice(last, 1);
      picks.push(ranked.find((pick) => pick.archetypeId === id) ?? { archetypeId: id, reason: OWNS_A_STEP });
    }
  }
  return picks;
}

/** What a scan found out about a repository, in closed words only. */
export interface RepositorySignals {
  /** The one with most of the code first. */
  readonly languages: readonly Language[];
  readonly frameworks: readonly Framework[];
  readonly tests: boolean;
  readonly docs: boolean;
  readonly ci: boolean;
  readonly size: RepositorySize;
}

/** Whether the scan found anything to go by; the absence of tests in an empty folder says nothing. */
export function hasSignals(signals: RepositorySignals): boolean {
  return signals.languages.length > 0 || signals.frameworks.length > 0 || signals.tests || signals.docs || signals.ci;
}

/** The signals as rules name them: `any`, `language.go`, `tests.absent`, `size.small`, … */
export function signalIds(signals: RepositorySignals): ReadonlySet<string> {
  if (!hasSignals(signals)) return new Set();
  const presence = (topic: 'tests' | 'docs' | 'ci') => `${topic}.${signals[topic] ? 'present' : 'absent'}`;
  return new Set([
    'any',
    ...signals.languages.map((language) => `language.${language}`),
    ...signals.frameworks.map((framework) => `framework.${framework}`),
    presence('tests'),
    presence('docs'),
    presence('ci'),
    `size.${signals.size}`,
  ]);
}

/** One sentence for people and prompts, made only from the closed tables: no path, no text of a file. */
export function describeSignals(signals: RepositorySignals): string {
  if (!hasSignals(signals)) return 'The scan found no signals.';
  const parts = [`A ${signals.size} repository`];
  if (signals.languages.length > 0) parts.push(`in ${signals.languages.map((id) => LANGUAGES[id]).join(', ')}`);
  if (signals.frameworks.length > 0) parts.push(`with ${signals.frameworks.map((id) => FRAMEWORKS[id]).join(', ')}`);
  const topics = [
    ['tests', signals.tests],
    ['docs', signals.docs],
    ['CI', signals.ci],
  ] as const;
  const named = (presence: boolean) => topics.filter(([, present]) => present === presence).map(([topic]) => topic);
  const has = named(true);
  const lacks = named(false);
  const tail = [has.length > 0 ? `has ${has.join(', ')}` : '', lacks.length > 0 ? `lacks ${lacks.join(', ')}` : ''];
  return `${parts.join(' ')}; it ${tail.filter((part) => part !== '').join(' and ')}.`;
}
