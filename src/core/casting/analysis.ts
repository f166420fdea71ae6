import { type Catalog, castable, GENERAL_TEAM, type SignalRule } from '#core/catalog/catalog.js';
import {
  CONTENTS,
  type Content,
  FRAMEWORKS,
  type Framework,
  LANGUAGES,
  type Language,
  type RepositorySize,
} from '#core/catalog/signal-vocabulary.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { Pick, Picks } from './proposal.js';
import { byRecord, type TrackRecords } from './track-record.js';

const OWNS_A_STEP = 'Owns a step of the work that runs next.';

/**
 * Selects a team of `size` archetypes by applying the catalog's signal rules to a scan. `required` archetypes are
 * always included: they replace the last picks, except the leader, and the team exceeds `size` only if it has no
 * replaceable places left. Track records in this project move an archetype by at most one place.
 */
export function pickBySignals(
  catalog: Catalog,
  signals: RepositorySignals,
  options: { readonly size?: number | undefined; readonly required?: readonly string[] | undefined },
  records: TrackRecords,
): Picks {
  const ids = signalIds(signals);
  const required = [...new Set(options.required)];
  if (ids.size === 0) {
    const size = options.size ?? TEAM_LIMITS.teamSizeUnknown;
    const general = GENERAL_TEAM.map((id) => ({ archetypeId: id, reason: 'General starting team.' }));
    return {
      picks: withRequired(catalog, general, required, size),
      warnings: [{ code: 'no_signals', message: 'The scan found no signals: this is a small general team.' }],
    };
  }
  const ranked = new Map<string, Pick>();
  for (const rule of interleave(rulesByContent(catalog, signals, ids))) {
    if (!ranked.has(rule.archetype)) ranked.set(rule.archetype, { archetypeId: rule.archetype, reason: rule.reason });
  }
  const picks = byRecord([...ranked.values()], ({ archetypeId }) => archetypeId, records).map(({ item, note }) =>
    note === '' ? item : { ...item, reason: `${item.reason.replace(/\.$/, '')}; ${note}.` },
  );
  return {
    picks: withRequired(catalog, picks, required, options.size ?? TEAM_LIMITS.teamSizeDefault),
    warnings: [],
  };
}

/** Returns the applicable rules for each content, the largest content first, each list in catalog order. */
function rulesByContent(catalog: Catalog, signals: RepositorySignals, ids: ReadonlySet<string>) {
  const rules = catalog.signalRules.filter((rule) => ids.has(rule.signal));
  const isOf = (content: Content) => (rule: SignalRule) =>
    content === 'code'
      ? !isOfOther(rule)
      : rule.signal === `content.${content}` || (content === 'text' && rule.signal === 'site');
  return contentsOf(signals).map((content) => largestLanguageFirst(rules.filter(isOf(content)), signals));
}

function isOfOther({ signal }: SignalRule): boolean {
  return signal === 'site' || (signal.startsWith('content.') && signal !== 'content.code');
}

/** Interleaves the lists: the first item of each, then the second of each, and so on. */
function interleave<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, place) => lists.flatMap((list) => list.slice(place, place + 1))).flat();
}

/**
 * Keeps the rules in order, but sorts the language rules among their own positions by amount of code, largest first.
 */
function largestLanguageFirst(rules: readonly SignalRule[], { languages }: RepositorySignals): readonly SignalRule[] {
  const place = new Map<string, number>(languages.map((language, index) => [`language.${language}`, index]));
  const placeOf = (rule: SignalRule) => place.get(rule.signal) ?? -1;
  const aboutLanguages = rules
    .filter((rule) => place.has(rule.signal))
    .sort((left, right) => placeOf(left) - placeOf(right));
  let next = 0;
  return rules.map((rule) => (place.has(rule.signal) ? (aboutLanguages[next++] ?? rule) : rule));
}

/** Returns the first `size` picks, with all required archetypes included. */
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

/** Result of a repository scan, restricted to closed vocabularies. */
export interface RepositorySignals {
  /** Sorted by bytes, largest first; empty if only signs of a project were found. */
  readonly contents: readonly Content[];
  /** Sorted by amount of code, largest first. */
  readonly languages: readonly Language[];
  readonly frameworks: readonly Framework[];
  readonly tests: boolean;
  readonly docs: boolean;
  readonly ci: boolean;
  /** Whether a site generator turns the text into web pages. */
  readonly site: boolean;
  readonly size: RepositorySize;
}

/** Whether the scan found any signal. Absent tests in an empty folder are not a signal. */
export function hasSignals(signals: RepositorySignals): boolean {
  return (
    signals.contents.length > 0 ||
    signals.languages.length > 0 ||
    signals.frameworks.length > 0 ||
    signals.tests ||
    signals.docs ||
    signals.ci
  );
}

/** Returns the contents of a repository; `code` if the scan found none. */
function contentsOf({ contents }: RepositorySignals): readonly Content[] {
  return contents.length > 0 ? contents : ['code'];
}

/**
 * Returns the signals as rule ids: `content.code`, `language.go`, `tests.absent`, `size.small`, … Signals about code,
 * such as absent tests, are omitted for a repository without code.
 */
export function signalIds(signals: RepositorySignals): ReadonlySet<string> {
  if (!hasSignals(signals)) return new Set();
  const contents = contentsOf(signals);
  const presence = (topic: 'tests' | 'docs' | 'ci') => `${topic}.${signals[topic] ? 'present' : 'absent'}`;
  const ofCode = [
    ...signals.languages.map((language) => `language.${language}`),
    ...signals.frameworks.map((framework) => `framework.${framework}`),
    presence('tests'),
    presence('docs'),
    presence('ci'),
    `size.${signals.size}`,
  ];
  return new Set([
    ...contents.map((content) => `content.${content}`),
    ...(contents.includes('code') ? ofCode : []),
    ...(contents.includes('text') && signals.site ? ['site'] : []),
  ]);
}

/**
 * Returns one sentence for people and prompts, built only from closed tables: it contains no path and no file content.
 */
export function describeSignals(signals: RepositorySignals): string {
  if (!hasSignals(signals)) return 'The scan found no signals.';
  const contents = contentsOf(signals);
  const others = contents.flatMap((content) => (content === 'code' ? [] : CONTENTS[content]));
  const parts = [`A ${signals.size} repository`];
  if (others.length > 0) parts.push(`of ${[...(contents.includes('code') ? ['code'] : []), ...others].join(', ')}`);
  if (!contents.includes('code')) return `${parts.join(' ')}.`;
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
